// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The beginning of a session.
///
/// @param file the session's file, which may not exist yet; null if the session is kept nowhere
/// @param id the session's id
/// @param parent the session that it was forked from; null if it was not
/// @param previous the session that was open before; null if there was none
/// @param reason `startup`, `reload`, `new`, `resume`, `fork`, or `restart` of this process
/// @param entries the entries that are not in the file yet
public record SessionStart(
    @Nullable Path file,
    String id,
    @Nullable String parent,
    @Nullable String previous,
    String reason,
    List<SessionEntry> entries) {
  public SessionStart {
    entries = List.copyOf(entries);
  }
}
