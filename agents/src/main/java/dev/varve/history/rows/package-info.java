// SPDX-License-Identifier: Apache-2.0
/// Sessions that are rows of an agent's database: read at one moment, archived as lines, and
/// written back all or none.
@NullMarked
package dev.varve.history.rows;

import org.jspecify.annotations.NullMarked;
