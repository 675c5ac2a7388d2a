// SPDX-License-Identifier: Apache-2.0
/// What the tests of all rooms need to hold a page of `docs/format/` and the code to each other.
///
/// A page is right if its tables name the fields of the code's layouts, with their offsets and
/// sizes, and if its examples are, byte for byte, what the code writes. [FormatPageTest] shows that
/// a page that is wrong is found out.
@NullMarked
package dev.varve.format;

import org.jspecify.annotations.NullMarked;
