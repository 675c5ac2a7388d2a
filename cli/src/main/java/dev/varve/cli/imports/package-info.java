// SPDX-License-Identifier: Apache-2.0
/// The output of every command that imports sessions.
@NullMarked
package dev.varve.cli.imports;

import org.jspecify.annotations.NullMarked;
