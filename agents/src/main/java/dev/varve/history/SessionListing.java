// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.imports.UnreadablePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The sessions in an agent's folders, as far as the folders can be read.
///
/// @param sessions in the order of [HistoryProfile#sessions]
/// @param unreadable the folders that cannot be read, sorted
public record SessionListing(List<SessionFiles> sessions, List<UnreadablePath> unreadable) {

  /// Lists the sessions of one of an agent's homes. A folder that cannot be read hides only the
  /// sessions in it.
  ///
  /// @throws dev.varve.StoreException.Io if a file that must be read for the list cannot be
  public static SessionListing ofHome(HistoryProfile profile, Path home) {
    return of(() -> profile.sessions(home));
  }

  /// Lists the sessions that a file holds.
  ///
  /// @throws dev.varve.StoreException.Io if the file cannot be read
  public static SessionListing ofFile(HistoryProfile profile, Path file) {
    return of(() -> profile.sessionsIn(file));
  }

  private static SessionListing of(Supplier<List<SessionFiles>> listing) {
    Map<Path, UnreadablePath> leftOut = new TreeMap<>();
    List<SessionFiles> sessions =
        ScopedValue.where(FolderContents.LEFT_OUT, leftOut).call(listing::get);
    return new SessionListing(sessions, List.copyOf(leftOut.values()));
  }
}
