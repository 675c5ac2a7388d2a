// SPDX-License-Identifier: Apache-2.0
/// Where JP keeps things: workspaces, the user's own copies of them, conversations, locks.
///
/// Resolves as JP does and writes nothing while it looks, other than JP, which creates what it does
/// not find. What is there may have been written by others: symbolic links are not followed, names
/// are checked before they are used.
@NullMarked
package dev.varve.jp.place;

import org.jspecify.annotations.NullMarked;
