// SPDX-License-Identifier: Apache-2.0
/// The marks at which an import of a session ended: everything that the next import needs to read
/// only the lines behind them. Marks are derived: without marks, a session is read as a whole.
@NullMarked
package dev.varve.history.marks;

import org.jspecify.annotations.NullMarked;
