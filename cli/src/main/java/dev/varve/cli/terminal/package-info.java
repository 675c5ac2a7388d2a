// SPDX-License-Identifier: Apache-2.0
/// The terminal: standard input, output and error, and the drawing of text on them.
///
/// [Terminal] is the only way to either stream; no control character of stored text gets through.
/// Nothing in this room knows a store or a command.
@NullMarked
package dev.varve.cli.terminal;

import org.jspecify.annotations.NullMarked;
