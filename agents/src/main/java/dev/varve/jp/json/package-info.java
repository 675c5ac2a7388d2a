// SPDX-License-Identifier: Apache-2.0
/// JSON as bytes whose places are known, so that a file can be changed in a few places and stay,
/// byte for byte, as it was everywhere else.
///
/// [JsonText] is a strict reading (RFC 8259, UTF-8, nothing lenient): each value with the bytes
/// where it begins and ends. [TextEdits] replaces some of those bytes. Nothing here ever prints a
/// document anew: keys, their order, indentation, number spellings, escapes and line ends are the
/// user's.
@NullMarked
package dev.varve.jp.json;

import org.jspecify.annotations.NullMarked;
