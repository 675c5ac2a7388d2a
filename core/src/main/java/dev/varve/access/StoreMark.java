// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.ContextId;
import dev.varve.TurnId;

/// The newest objects of a store in a database.
///
/// @param turn the greatest number of a turn, [TurnId#NONE] for none
/// @param context the greatest number of a context; 0 for none
/// @param overlaySeq the sequence of the last overlay, 0 for none
/// @param erasures the number of the last erasure, 0 for none
public record StoreMark(TurnId turn, ContextId context, long overlaySeq, int erasures) {}
