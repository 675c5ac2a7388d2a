// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryImport;
import dev.varve.history.HistoryProfile;
import dev.varve.history.SessionFiles;
import dev.varve.history.SessionListing;
import dev.varve.imports.FileImports;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.UnreadablePath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Imports the sessions that files and folders hold.
///
/// @param profile of the agent whose sessions they are
record HistorySources(
    Store store, HistoryProfile profile, InstantSource clock, ImportListener listener) {

  /// Imports the session of a file, or all sessions of a folder: an agent's home, or any folder
  /// with transcripts somewhere below it.
  ///
  /// @return the files of a folder that have the names of transcripts and hold no sessions
  RefusedFiles read(Path source) {
    RefusedFiles refused = new RefusedFiles(source);
    if (Files.isDirectory(source)) {
      folder(source, refused);
    } else {
      SessionListing found = SessionListing.ofFile(profile, source);
      report(found.unreadable());
      if (found.sessions().size() == 1) {
        ImportReport _ = imports(found.sessions().getFirst()).file(source);
      } else {
        all(found.sessions());
      }
    }
    return refused;
  }

  private FileImports imports(SessionFiles session) {
    HistoryImport imports = new HistoryImport(store, profile, clock);
    return new FileImports((_, progress) -> imports.session(session, progress), listener);
  }

  private void report(List<UnreadablePath> unreadable) {
    for (UnreadablePath path : unreadable) {
      listener.done(ImportReport.failed(path.file(), path.why()));
    }
  }

  private void folder(Path folder, RefusedFiles refused) {
    SessionListing found = laidOut(folder);
    if (found.sessions().isEmpty()) {
      all(strewn(folder, refused)); // walks the folder again, and reports
    } else {
      report(found.unreadable());
      all(found.sessions());
    }
  }

  /// The sessions of a folder that is an agent's home.
  private SessionListing laidOut(Path folder) {
    SessionListing none = new SessionListing(List.of(), List.of());
    try {
      return profile.keepsPerProject() ? none : SessionListing.ofHome(profile, folder);
    } catch (StoreException.Invalid | StoreException.Io e) {
      return none; // one file spoils the home: look at each alone
    }
  }

  /// Imports all sessions of one of the agent's homes. What cannot be listed is reported as a
  /// failure.
  void home(Path home) {
    try {
      SessionListing found = SessionListing.ofHome(profile, home);
      report(found.unreadable());
      all(found.sessions());
    } catch (StoreException.Invalid | StoreException.Io e) {
      listener.done(ImportReport.failed(home, String.valueOf(e.getMessage())));
    }
  }

  /// Imports all sessions; one that fails does not stop the rest.
  void all(List<SessionFiles> sessions) {
    listener.found(sessions.size());
    for (SessionFiles session : sessions) {
      ImportReport _ = imports(session).tolerant(session.main().path());
    }
  }

  /// The sessions of a folder that is not laid out as the agent does it. A file that belongs to
  /// another session is none of its own.
  private List<SessionFiles> strewn(Path folder, RefusedFiles refused) {
    List<SessionFiles> found = new ArrayList<>();
    Set<Path> parts = new HashSet<>();
    SourceFolder walked = SourceFolder.walk(folder, "");
    report(walked.unreadable());
    for (Path file : walked.files()) {
      String name = String.valueOf(file.getFileName());
      if (profile.suffixes().stream().anyMatch(name::endsWith)) {
        try {
          SessionListing sessions = SessionListing.ofFile(profile, file);
          for (SessionFiles session : sessions.sessions()) {
            found.add(session);
            session.files().stream()
                .skip(1)
                .filter(part -> part.kind() != HistoryFile.Kind.ROWS) // in the session's own file
                .map(HistoryFile::path)
                .forEach(parts::add);
          }
        } catch (StoreException.Invalid e) {
          refused.add(file, e.why());
        } catch (StoreException.Io e) {
          listener.done(ImportReport.failed(file, e.what()));
        }
      }
    }
    return found.stream().filter(session -> !parts.contains(session.main().path())).toList();
  }
}
