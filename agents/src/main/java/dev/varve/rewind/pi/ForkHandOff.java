// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.util.Optional;

/// Takes over, in a session that was just forked, the mark that the session before left for it.
final class ForkHandOff {

  private ForkHandOff() {}

  /// @return empty if the parent left nothing, or something happened in it since
  static Optional<SessionMark> of(SessionStart start, SessionLineage lineage) {
    return parent(start, lineage)
        .flatMap(
            log ->
                log.entries().reversed().stream()
                    .flatMap(entry -> Optional.ofNullable(entry.mark()).stream())
                    .findFirst())
        .flatMap(
            mark ->
                mark instanceof SessionMark.ForkPending pending
                    ? Optional.of(
                        new SessionMark.Op(
                            java.util.List.of(), pending.current(), pending.undo(), true))
                    : Optional.empty());
  }

  private static Optional<SessionLog> parent(SessionStart start, SessionLineage lineage) {
    String previous = start.previous();
    return lineage.ancestors().stream()
        .filter(
            ancestor ->
                previous == null
                    || ancestor.file().endsWith(java.nio.file.Path.of(previous).getFileName()))
        .findFirst()
        .map(SessionLineage.Ancestor::log);
  }
}
