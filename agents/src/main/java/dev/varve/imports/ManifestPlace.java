// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.ContextId;
import dev.varve.TurnId;

/// The place of a source's manifest in the store.
///
/// @param context the [context][ManifestContext] from which the source can be exported
/// @param turn the turn with the manifest of this version
public record ManifestPlace(ContextId context, TurnId turn) {}
