// SPDX-License-Identifier: Apache-2.0
/// Files in folders that others can write: what a repository brings along is looked at before it is
/// believed.
///
/// No symbolic link is followed, nothing but regular files is opened (a named pipe would wait for
/// ever), nothing is read beyond a bound. What is written is forced and appears whole, or not at
/// all. `IOException` ends here; above there is only `StoreException`.
@NullMarked
package dev.varve.jp.files;

import org.jspecify.annotations.NullMarked;
