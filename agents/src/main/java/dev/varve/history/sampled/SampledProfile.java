// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.HistoryProfile;
import dev.varve.history.PutBackPlan;
import dev.varve.history.SessionFiles;
import dev.varve.imports.SourceFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A profile that rests on samples: the agent has judged nothing that was read or put back. A
/// session is one transcript, and the files beside the transcript that have its name.
abstract class SampledProfile implements HistoryProfile {

  /// The ids that are the same on no two computers.
  private static final Pattern ID =
      Pattern.compile("(?:T-)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final String agent;
  private final String displayName;
  private final SourceFormat format;
  private final String folder;

  /// @param folder the folder in the agent's home in which all sessions lie
  SampledProfile(String agent, String displayName, SourceFormat format, String folder) {
    this.agent = agent;
    this.displayName = displayName;
    this.format = format;
    this.folder = folder;
  }

  /// Says whether a file in the folder of sessions is a session's own transcript, by its name:
  /// files that are none are not opened.
  abstract boolean isTranscript(Path file);

  @Override
  public final String agent() {
    return agent;
  }

  @Override
  public final String displayName() {
    return displayName;
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public final boolean isExperimental() {
    return true;
  }

  @Override
  public final SourceFormat format() {
    return format;
  }

  @Override
  public List<SessionFiles> sessions(Path home) {
    return FolderContents.below(home.resolve(folder)).stream()
        .filter(this::isTranscript)
        .map(this::session)
        .toList();
  }

  @Override
  public List<Path> watched(Path home) {
    return List.of(home.resolve(folder));
  }

  @Override
  public Set<String> elided() {
    return Set.of();
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    return List.of(
        "The profile is experimental: " + displayName + " was never tried with such files.");
  }

  /// The session of a transcript: named by the file where the agent keeps it and where the name is
  /// an id, else by the path, because many a file elsewhere may have the same name.
  ///
  /// @param companions the kinds of the files beside the transcript that have its name and another
  ///   end, by that end
  final SessionFiles session(Path file, Kind kind, Map<String, Kind> companions) {
    Path main = file.toAbsolutePath().normalize();
    Path home = home(main);
    String id = stem(main);
    List<HistoryFile> files = new ArrayList<>();
    files.add(HistoryFile.below(home, main, HistoryFile.MAIN, kind));
    new TreeMap<>(companions)
        .forEach(
            (end, kindOf) -> {
              Path beside = main.resolveSibling(id + end);
              if (Files.isRegularFile(beside)) {
                files.add(HistoryFile.below(home, beside, end, kindOf));
              }
            });
    boolean named = isInHome(main) || ID.matcher(id).matches();
    return new SessionFiles(named ? id : "path:" + main, home, files);
  }

  /// The agent's home, of which a folder holds the file; the file's own folder if none does.
  final Path home(Path file) {
    return ofSessions(file).map(FolderContents::parent).orElse(FolderContents.parent(file));
  }

  /// Says whether a file lies where the agent keeps such files.
  private boolean isInHome(Path file) {
    return folder.isEmpty() || ofSessions(file).isPresent();
  }

  /// The folder in an agent's home in which all sessions lie, and the file with them.
  private Optional<Path> ofSessions(Path file) {
    for (Path at = file.getParent(); at != null && !folder.isEmpty(); at = at.getParent()) {
      if (FolderContents.name(at).equals(folder)) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  /// The name of a file without its end.
  static String stem(Path file) {
    String name = FolderContents.name(file);
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }
}
