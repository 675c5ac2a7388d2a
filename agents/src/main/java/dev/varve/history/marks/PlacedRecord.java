// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import dev.varve.TurnId;

/// A record of a transcript and its turn.
///
/// @param id the record's id within its transcript
public record PlacedRecord(String id, TurnId turn) {}
