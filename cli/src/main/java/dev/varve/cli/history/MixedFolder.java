// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryProfile;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.SourceFormat;
import dev.varve.imports.UnreadablePath;
import dev.varve.pi.branch.HashStates;
import dev.varve.pi.doctor.RepairWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A folder with sessions of any agents, each found from its content.
final class MixedFolder {

  private final Map<HistoryProfile, Map<Path, List<SessionFiles>>> found = new LinkedHashMap<>();
  private final List<Path> pi = new ArrayList<>();
  private final RefusedFiles refused;
  private final List<ImportReport> failed = new ArrayList<>();
  private final Set<Path> parts = new HashSet<>();

  private MixedFolder(Path folder) {
    this.refused = new RefusedFiles(folder);
  }

  /// Looks at the beginning of every file below a folder.
  ///
  /// @throws CommandException if no file is a session
  static MixedFolder of(Path folder) {
    MixedFolder mixed = new MixedFolder(folder);
    SourceFolder all = SourceFolder.walk(folder, "");
    all.unreadable().forEach(mixed::note);
    all.files().forEach(mixed::look);
    if (mixed.found.isEmpty() && mixed.pi.isEmpty() && mixed.failed.isEmpty()) {
      throw new CommandException(
          ExitCodes.USAGE,
          folder + ": expected sessions of known agents, found none",
          "'varve import --help' lists the formats.");
    }
    return mixed;
  }

  /// A folder may have sessions in it; a pipe or a socket has none.
  private void note(UnreadablePath path) {
    if (Files.isDirectory(path.file())) {
      failed.add(ImportReport.failed(path.file(), path.why()));
    } else {
      refused.add(path.file(), path.why());
    }
  }

  private void look(Path file) {
    try {
      SourceFormat format = SourceFormat.of(file).orElse(null);
      Optional<HistoryProfile> owner =
          format == null ? Optional.empty() : HistoryProfiles.owner(file, format);
      if (format == SourceFormat.PI) {
        pi.add(file);
      } else if (owner.isPresent()) {
        add(owner.get(), file);
      } else {
        String what = format == null ? "no record of a known agent" : format.description();
        refused.add(file, what);
      }
    } catch (IOException e) {
      failed.add(ImportReport.failed(file, UnreadablePath.reason(e)));
    } catch (StoreException.Invalid e) {
      refused.add(file, e.why());
    } catch (StoreException.Io e) {
      failed.add(ImportReport.failed(file, e.what()));
    }
  }

  private void add(HistoryProfile profile, Path file) {
    for (SessionFiles session : profile.sessionsIn(file)) {
      Path main = session.main().path();
      boolean own = session.main().kind() != HistoryFile.Kind.ROWS;
      Map<Path, List<SessionFiles>> known =
          found.computeIfAbsent(profile, _ -> new LinkedHashMap<>());
      if (own && known.containsKey(main)) {
        continue; // another file of the session
      }
      known.computeIfAbsent(main, _ -> new ArrayList<>()).add(session);
      session.files().stream()
          .skip(1)
          .filter(part -> part.kind() != HistoryFile.Kind.ROWS)
          .forEach(part -> parts.add(part.path()));
    }
  }

  /// The sessions by the profiles of their agents. A file that belongs to another session is none
  /// of its own.
  Map<HistoryProfile, List<SessionFiles>> sessions() {
    Map<HistoryProfile, List<SessionFiles>> sessions = new LinkedHashMap<>();
    found.forEach(
        (profile, known) ->
            sessions.put(
                profile,
                known.entrySet().stream()
                    .filter(entry -> !parts.contains(entry.getKey()))
                    .flatMap(entry -> entry.getValue().stream())
                    .toList()));
    return sessions;
  }

  /// The sessions of Pi, and of agents that write its format.
  List<Path> pi() {
    return pi;
  }

  /// The files and folders that cannot be read, so that nobody knows whether they have sessions.
  List<ImportReport> failed() {
    return failed;
  }

  /// Lists the files that are neither a session nor a part of one.
  void listRefused(Terminal terminal) {
    refused.removeIf(file -> parts.contains(file.toAbsolutePath().normalize()));
    refused.removeIf(file -> file.toString().matches(".*-(wal|shm)"));
    refused.removeIf(MixedFolder::isOfVarve);
    refused.list(terminal);
  }

  private static boolean isOfVarve(Path file) {
    String name = file.toString();
    return name.endsWith(HashStates.SUFFIX) || name.endsWith(RepairWriter.JOURNAL_SUFFIX);
  }
}
