// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import java.util.Optional;

/// Takes over, in a session that was just forked, what the session before left for it.
final class ForkHandOff {

  private ForkHandOff() {}

  /// @return empty if the parent left nothing, or something happened in it since
  static Optional<Mark> of(LiveSession.Start start, Lineage lineage) {
    return parent(start, lineage)
        .flatMap(
            log ->
                log.entries().reversed().stream()
                    .flatMap(entry -> Optional.ofNullable(entry.mark()).stream())
                    .findFirst())
        .flatMap(
            mark ->
                mark instanceof Mark.ForkPending pending
                    ? Optional.of(
                        new Mark.Op(java.util.List.of(), pending.current(), pending.undo(), true))
                    : Optional.empty());
  }

  private static Optional<SessionLog> parent(LiveSession.Start start, Lineage lineage) {
    String previous = start.previous();
    return lineage.ancestors().stream()
        .filter(
            ancestor ->
                previous == null
                    || ancestor.file().endsWith(java.nio.file.Path.of(previous).getFileName()))
        .findFirst()
        .map(Lineage.Ancestor::log);
  }
}
