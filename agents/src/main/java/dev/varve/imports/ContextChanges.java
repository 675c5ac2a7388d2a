// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.ContextId;
import java.util.List;

/// The contexts of a source's leaves after an import.
///
/// @param all those of the source's earlier versions too
/// @param added how many leaves got a context
/// @param advanced how many contexts followed their leaf to a new turn
public record ContextChanges(List<ContextId> all, long added, long advanced) {

  /// No context at all.
  public static final ContextChanges NONE = unchanged(List.of());

  public ContextChanges {
    all = List.copyOf(all);
  }

  /// Contexts that stayed as they were.
  public static ContextChanges unchanged(List<ContextId> all) {
    return new ContextChanges(all, 0, 0);
  }
}
