// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.HistoryProfile;
import dev.varve.history.PutBackPlan;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The history of Gemini CLI.
///
/// A session is `tmp/<project>/chats/session-<time>-<8 digits>.jsonl`, or `.json` of older
/// versions, with the transcripts of sub-agents in `chats/<session's id>` and large outputs in
/// `tool-outputs/session-<session's id>`. The name is the session's key: the agent leaves a second
/// file with the same id beside a session that was resumed, and that file must not be taken for the
/// session. With the newest session of a project go the files that the project's sessions share.
public final class GeminiProfile implements HistoryProfile {

  private static final String LINES = ".jsonl";
  private static final String DOCUMENT = ".json";
  private static final String CHATS = "chats";
  private static final String AGENTS = "agents/";
  private static final Pattern NAME = Pattern.compile("session-.+-([0-9a-f]{8})");

  /// The time for which the agent keeps a session, unless its settings say otherwise.
  private static final Duration KEPT = Duration.ofDays(30);

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  @Override
  public String agent() {
    return "gemini";
  }

  @Override
  public String displayName() {
    return "Gemini CLI";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public SourceFormat format() {
    return SourceFormat.GEMINI_CLI;
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.folder("GEMINI_CLI_HOME", "").resolve(".gemini"));
  }

  @Override
  public List<String> suffixes() {
    return List.of(LINES, DOCUMENT);
  }

  @Override
  public List<SessionFiles> sessions(Path home) {
    Map<String, List<Path>> byKey = new TreeMap<>();
    for (Path project : FolderContents.folders(home.resolve("tmp"))) {
      for (Path file : transcripts(project.resolve(CHATS))) {
        byKey.computeIfAbsent(key(file), _ -> new ArrayList<>()).add(file);
      }
    }
    return byKey.values().stream().map(copies -> session(home, copies)).toList();
  }

  private static List<Path> transcripts(Path chats) {
    return FolderContents.files(chats).stream()
        .filter(file -> !stem(file).equals(FolderContents.name(file)))
        .toList();
  }

  /// The name of a transcript without its end; the name itself if the file is none.
  private static String stem(Path file) {
    String name = FolderContents.name(file);
    for (String suffix : List.of(LINES, DOCUMENT)) {
      if (name.endsWith(suffix)) {
        return name.substring(0, name.length() - suffix.length());
      }
    }
    return name;
  }

  private static String key(Path file) {
    return NAME.matcher(stem(file)).matches() ? stem(file) : "path:" + file;
  }

  @Override
  public List<Path> watched(Path home) {
    return List.of(home.resolve("tmp"));
  }

  @Override
  public SessionFiles session(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path folder = FolderContents.parent(absolute);
    Path project = FolderContents.parent(folder);
    Path tmp = FolderContents.parent(project);
    boolean inHome =
        FolderContents.name(folder).equals(CHATS) && FolderContents.name(tmp).equals("tmp");
    Path home = inHome ? FolderContents.parent(tmp) : folder;
    List<Path> copies =
        inHome
            ? transcripts(folder).stream().filter(each -> key(each).equals(key(absolute))).toList()
            : List.of();
    return session(home, copies.contains(absolute) ? copies : List.of(absolute));
  }

  /// A session of which there may be copies: a log beside the document that it goes on from, and a
  /// folder that the agent copied when it gave the project a name.
  private static SessionFiles session(Path home, List<Path> copies) {
    List<Path> ordered =
        copies.stream()
            .sorted(
                Comparator.comparing((Path file) -> FolderContents.name(file).endsWith(DOCUMENT))
                    .thenComparing(file -> HASH.matcher(project(file)).matches())
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    Path main = ordered.getFirst();
    List<HistoryFile> files = new ArrayList<>();
    files.add(HistoryFile.below(home, main, HistoryFile.MAIN, Kind.TRANSCRIPT));
    for (Path copy : ordered.subList(1, ordered.size())) {
      String slot = "copy/" + home.relativize(copy);
      files.add(HistoryFile.below(home, copy, slot, Kind.ATTACHMENT));
    }
    Matcher name = NAME.matcher(stem(main));
    if (name.matches()) {
      addParts(home, FolderContents.parent(main), name.group(1), files);
      if (isNewest(main)) {
        addShared(home, FolderContents.parent(FolderContents.parent(main)), files);
      }
    }
    return new SessionFiles(key(main), home, files);
  }

  private static String project(Path file) {
    return FolderContents.name(FolderContents.parent(FolderContents.parent(file)));
  }

  /// Adds the files that are named for the session.
  ///
  /// @param id the first eight digits of the session's id
  private static void addParts(Path home, Path chats, String id, List<HistoryFile> files) {
    for (Path folder : FolderContents.folders(chats)) {
      if (FolderContents.name(folder).startsWith(id)) {
        for (Path file : FolderContents.below(folder)) {
          boolean transcript = FolderContents.name(file).endsWith(LINES);
          String slot = AGENTS + chats.relativize(file);
          Kind kind = transcript ? Kind.TRANSCRIPT : Kind.ATTACHMENT;
          files.add(HistoryFile.below(home, file, slot, kind));
        }
      }
    }
    Path outputs = FolderContents.parent(chats).resolve("tool-outputs");
    for (Path folder : FolderContents.folders(outputs)) {
      if (FolderContents.name(folder).startsWith("session-" + id)) {
        for (Path file : FolderContents.below(folder)) {
          String slot = "tool-outputs/" + outputs.relativize(file);
          files.add(HistoryFile.below(home, file, slot, Kind.ATTACHMENT));
        }
      }
    }
  }

  private static boolean isNewest(Path main) {
    return main.equals(FolderContents.newest(transcripts(FolderContents.parent(main))));
  }

  /// Adds the files that the sessions of a project share: nothing else of the agent's folder, where
  /// keys and settings lie.
  private static void addShared(Path home, Path project, List<HistoryFile> files) {
    List<Path> shared = new ArrayList<>();
    for (Path file : FolderContents.files(project)) {
      String name = FolderContents.name(file);
      boolean checkpoint = name.startsWith("checkpoint-") && name.endsWith(DOCUMENT);
      if (checkpoint || name.equals("logs.json") || name.equals(".project_root")) {
        shared.add(file);
      }
    }
    shared.addAll(FolderContents.below(project.resolve("checkpoints")));
    shared.addAll(
        FolderContents.below(home.resolve("history").resolve(FolderContents.name(project))));
    FolderContents.files(home).stream()
        .filter(file -> FolderContents.name(file).equals(ProjectRegistry.NAME))
        .forEach(shared::add);
    for (Path file : shared) {
      files.add(HistoryFile.below(home, file, "project/" + home.relativize(file), Kind.PROJECT));
    }
  }

  @Override
  public Set<String> elided() {
    return Set.of();
  }

  @Override
  public TranscriptReader reader(String slot) {
    if (!slot.startsWith(AGENTS)) {
      return new GeminiReader("");
    }
    String below = slot.substring(AGENTS.length());
    int end = below.replace('\\', '/').indexOf('/');
    return new GeminiReader(end < 0 ? "" : below.substring(0, end));
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    String folder = plan.view().folder();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "Go on with it"
            + (folder.isEmpty() ? " in its folder" : " in " + folder)
            + ": gemini --resume "
            + plan.view().session());
    ProjectRegistry.obstacle(plan).ifPresent(sentences::add);
    Instant last = Instant.ofEpochMilli(plan.view().lastAtUnixMs());
    if (last.isAfter(Instant.EPOCH) && last.isBefore(Instant.now().minus(KEPT))) {
      sentences.add(
          "Before you start Gemini CLI: it deletes sessions older than 30 days when it starts, and"
              + " this one is older. general.sessionRetention in settings.json says otherwise.");
    }
    sentences.add(
        "Gemini CLI deletes a session that was resumed, some minute later, at its next start: run"
            + " 'varve sync' before and after.");
    return sentences;
  }
}
