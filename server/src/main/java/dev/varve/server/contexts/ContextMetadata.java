// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The metadata that a context declares in its first turn.
///
/// @param clientTag the writer's name for itself; null if not declared, as are all others
/// @param labels empty if none are declared
public record ContextMetadata(
    @Nullable String clientTag,
    @Nullable String title,
    List<String> labels,
    @Nullable Provenance provenance) {

  static final ContextMetadata NONE = new ContextMetadata(null, null, List.of(), null);

  public ContextMetadata {
    labels = List.copyOf(labels);
  }

  boolean isEmpty() {
    return clientTag == null && title == null && labels.isEmpty() && provenance == null;
  }

  @Nullable Long parent() {
    return number(Provenance.Key.PARENT_CONTEXT_ID);
  }

  @Nullable Long root() {
    return number(Provenance.Key.ROOT_CONTEXT_ID);
  }

  @Nullable String spawnReason() {
    return provenance == null ? null : provenance.text(Provenance.Key.SPAWN_REASON);
  }

  private @Nullable Long number(Provenance.Key key) {
    Long number = provenance == null ? null : provenance.number(key);
    return number == null || number == 0 ? null : number; // 0 is no context
  }
}
