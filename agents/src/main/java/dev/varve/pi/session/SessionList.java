// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;

/// The sessions below a folder, the last active first.
///
/// Of each file the beginning is read until its user's first words are met, and the end until an
/// entry is: some 32 KB of a file of any size. The longest look is 2 MB a file.
///
/// @param problems what could not be read, a sentence each
public record SessionList(List<SessionSummary> sessions, List<String> problems) {

  /// @param whole whether to read the files as wholes: then the count of entries is known of each,
  ///   and a name wherever it stands
  /// @param progress receives the number of files that are done
  /// @throws StoreException.Io if the folder itself cannot be read
  public static SessionList below(Path folder, boolean whole, IntConsumer progress) {
    SourceFolder found = SourceFolder.walk(folder, SourceFolder.JSON_LINES);
    List<SessionSummary> sessions = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    found.unreadable().forEach(path -> problems.add(path.file() + ": " + path.why()));
    for (Path file : found.files()) {
      try {
        sessions.add(of(file, whole));
      } catch (StoreException.Io e) {
        problems.add(String.valueOf(e.getMessage()));
      }
      progress.accept(sessions.size() + problems.size());
    }
    sessions.sort(
        Comparator.comparing(SessionSummary::lastActiveAt)
            .reversed()
            .thenComparing(SessionSummary::file));
    return new SessionList(sessions, problems);
  }

  /// One session.
  ///
  /// @throws StoreException.Io if the file cannot be read
  public static SessionSummary of(Path file, boolean whole) {
    return SummaryReading.of(file, whole);
  }
}
