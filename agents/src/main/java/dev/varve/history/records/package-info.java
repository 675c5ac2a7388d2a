// SPDX-License-Identifier: Apache-2.0
/// Shapes of records that several agents share: messages of blocks, chains of parents, glued lines.
@NullMarked
package dev.varve.history.records;

import org.jspecify.annotations.NullMarked;
