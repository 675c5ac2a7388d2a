// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.codex;

import dev.varve.StoreException;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.HistoryProfile;
import dev.varve.history.PutBackPlan;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.SourceFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The history of Codex.
///
/// A session is one rollout, `sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`, or
/// `archived_sessions/rollout-….jsonl`, either of them compressed once it is old. A thread that was
/// taken back has a rollout for each *segment*, whose id stands behind the thread's.
public final class CodexProfile implements HistoryProfile {

  private static final String STATE = "state_5.sqlite";

  /// The times and numbers of the lines around the records: a fork has its own.
  private static final Set<String> ELIDED = Set.of("timestamp", "ordinal");

  @Override
  public String agent() {
    return "codex";
  }

  @Override
  public String displayName() {
    return "Codex";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public SourceFormat format() {
    return SourceFormat.CODEX;
  }

  /// Of the agents that are known, only Codex compresses.
  @Override
  public boolean owns(Path file, SourceFormat found) {
    return found == SourceFormat.CODEX || found == SourceFormat.ZSTD;
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.folder("CODEX_HOME", ".codex"));
  }

  /// The names of rollouts begin with their times, and a fork is younger than its parent.
  @Override
  public List<SessionFiles> sessions(Path home) {
    Map<String, List<RolloutName>> byKey = new TreeMap<>();
    for (String folder : List.of("sessions", "archived_sessions")) {
      for (Path file : FolderContents.below(home.resolve(folder))) {
        RolloutName.of(file)
            .ifPresent(name -> byKey.computeIfAbsent(name.key(), _ -> new ArrayList<>()).add(name));
      }
    }
    return byKey.values().stream()
        .map(copies -> session(home, copies))
        .sorted(Comparator.comparing(session -> session.main().path().getFileName()))
        .toList();
  }

  /// The copies of a session, the one that Codex uses first: plain before compressed, the later
  /// date, and `sessions` before `archived_sessions`.
  private static SessionFiles session(Path home, List<RolloutName> copies) {
    List<RolloutName> ordered =
        copies.stream()
            .sorted(
                Comparator.comparing(RolloutName::archived)
                    .thenComparing(RolloutName::packed)
                    .thenComparing(RolloutName::file, Comparator.reverseOrder()))
            .toList();
    List<HistoryFile> files = new ArrayList<>();
    for (RolloutName name : ordered) {
      boolean first = files.isEmpty();
      String slot = first ? HistoryFile.MAIN : "copy/" + home.relativize(name.file());
      Kind kind =
          !first ? Kind.ATTACHMENT : name.packed() ? Kind.PACKED_TRANSCRIPT : Kind.TRANSCRIPT;
      files.add(HistoryFile.below(home, name.file(), slot, kind));
    }
    return new SessionFiles(ordered.getFirst().key(), home, files);
  }

  @Override
  public List<String> suffixes() {
    return List.of(SourceFolder.JSON_LINES, SourceFolder.JSON_LINES + ".zst");
  }

  @Override
  public List<Path> watched(Path home) {
    return List.of(home.resolve("sessions"), home.resolve("archived_sessions"));
  }

  @Override
  public SessionFiles session(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    RolloutName name =
        RolloutName.of(absolute)
            .orElseGet(
                () ->
                    new RolloutName(
                        absolute, "path:" + absolute, absolute.toString().endsWith(".zst"), false));
    return session(home(absolute), List.of(name));
  }

  /// The folder above `sessions` or `archived_sessions`; else the file's own folder.
  private static Path home(Path file) {
    for (Path at = file.getParent(); at != null; at = at.getParent()) {
      String name = String.valueOf(at.getFileName());
      Path above = at.getParent();
      if (above != null && (name.equals("sessions") || name.equals("archived_sessions"))) {
        return above;
      }
    }
    Path folder = file.getParent();
    if (folder == null) {
      throw new StoreException.Invalid(file.toString(), "expected a file in a folder");
    }
    return folder;
  }

  @Override
  public boolean appendsOnly() {
    return true;
  }

  @Override
  public Set<String> elided() {
    return ELIDED;
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new CodexReader();
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    List<String> sentences = new ArrayList<>();
    sentences.add("Go on with it: codex resume " + plan.view().session());
    if (plan.files().stream().anyMatch(file -> file.file().name().startsWith("archived_"))) {
      sentences.add("It is archived: 'codex unarchive' first.");
    }
    if (Files.exists(plan.home().resolve(STATE))) {
      sentences.add(
          "Stop Codex first. If it then finds no rollout, its database names another path: delete"
              + " the thread's row in the table threads of "
              + STATE
              + ".");
    }
    return sentences;
  }
}
