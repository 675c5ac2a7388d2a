// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.history.ArchivedSession;
import dev.varve.history.HistoryProfile;
import dev.varve.history.SessionFiles;
import dev.varve.history.SessionListing;
import dev.varve.imports.UnreadablePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The size of an agent's history on this computer, and of the part that is archived.
///
/// @param sessions on this computer
/// @param sizeBytes of their files
/// @param archived how many of the sessions are archived
/// @param archivedBytes how many of the bytes are archived
/// @param unreadable folders that may have more sessions
record HistoryStatus(
    String agent,
    Path home,
    long sessions,
    long sizeBytes,
    long archived,
    long archivedBytes,
    List<UnreadablePath> unreadable) {

  /// Looks at the files' sizes and at what the store knows of them; reads no file.
  ///
  /// @param store null if there is none
  static HistoryStatus of(HistoryProfile profile, Path home, @Nullable Store store) {
    long sessions = 0;
    long sizeBytes = 0;
    long archived = 0;
    long archivedBytes = 0;
    SessionListing found = SessionListing.ofHome(profile, home);
    for (SessionFiles session : found.sessions()) {
      long here = sizeBytes(session);
      sessions++;
      sizeBytes += here;
      Optional<ArchivedSession> known =
          store == null
              ? Optional.empty()
              : ArchivedSession.find(store, profile.agent(), session.key());
      if (known.isPresent()) {
        archived++;
        archivedBytes += Math.min(here, known.get().about().view().sizeBytes());
      }
    }
    return new HistoryStatus(
        profile.agent(), home, sessions, sizeBytes, archived, archivedBytes, found.unreadable());
  }

  private static long sizeBytes(SessionFiles session) {
    try {
      return session.sizeBytes();
    } catch (IOException e) {
      throw new StoreException.Io(session.main().path().toString(), "cannot be read", e);
    }
  }
}
