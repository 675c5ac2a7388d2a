// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.cline;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.HistoryProfile;
import dev.varve.history.PutBackPlan;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The history of Cline.
///
/// A session is the folder `sessions/<id>` with the conversation `<id>.messages.json`, the manifest
/// `<id>.json` and the conversations of sub-agents; in the extension of an editor, the folder
/// `tasks/<id>` with `api_conversation_history.json`, and its line in `state/taskHistory.json`.
public class ClineProfile implements HistoryProfile {

  private static final String MESSAGES = ".messages.json";
  private static final String TASK = "api_conversation_history.json";
  private static final String STORAGE = "User/globalStorage";

  /// Where the extensions of the most usual editor keep what they keep, below the user's home.
  static final String EXTENSIONS = ".config/Code/" + STORAGE;

  /// The folders in which editors keep what their extensions keep, below the user's home.
  private static final List<String> EDITORS =
      List.of(
          ".config/Code",
          ".config/VSCodium",
          "Library/Application Support/Code",
          ".vscode-server/data");

  @Override
  public String agent() {
    return "cline";
  }

  @Override
  public String displayName() {
    return "Cline";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public SourceFormat format() {
    return SourceFormat.CLINE;
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    List<Path> homes = new ArrayList<>();
    homes.add(environment.userHome().resolve(".cline"));
    homes.addAll(editorHomes(environment, "saoudrizwan.claude-dev"));
    return homes;
  }

  /// The folders in which an extension of an editor keeps its tasks, if they exist.
  static List<Path> editorHomes(AgentEnvironment environment, String extension) {
    return EDITORS.stream()
        .map(editor -> environment.userHome().resolve(editor).resolve(STORAGE).resolve(extension))
        .filter(Files::isDirectory)
        .toList();
  }

  @Override
  public List<SessionFiles> sessions(Path home) {
    List<SessionFiles> sessions = new ArrayList<>();
    for (Path base : List.of(home.resolve("data"), home)) {
      for (String name : List.of("sessions", "tasks")) {
        FolderContents.folders(base.resolve(name))
            .forEach(folder -> transcript(folder).ifPresent(file -> sessions.add(session(file))));
      }
    }
    sessions.sort(Comparator.comparing(session -> session.main().path()));
    return sessions;
  }

  /// The session's own conversation in its folder.
  private static Optional<Path> transcript(Path folder) {
    return List.of(folder.resolve(FolderContents.name(folder) + MESSAGES), folder.resolve(TASK))
        .stream()
        .filter(Files::isRegularFile)
        .findFirst();
  }

  @Override
  public List<Path> watched(Path home) {
    return Stream.of(home.resolve("data"), home)
        .flatMap(base -> Stream.of(base.resolve("sessions"), base.resolve("tasks")))
        .toList();
  }

  /// A file of a session's folder stands for the session.
  @Override
  public SessionFiles session(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path folder = FolderContents.parent(absolute);
    Path main = transcript(folder).orElse(absolute);
    String id = FolderContents.name(folder);
    Path above = FolderContents.parent(folder);
    boolean inHome =
        FolderContents.name(above).equals("sessions") || FolderContents.name(above).equals("tasks");
    boolean named =
        !main.equals(absolute) || FolderContents.name(main).equals(id + MESSAGES) || inHome;
    Path base = inHome ? FolderContents.parent(above) : folder;
    Path home =
        inHome && FolderContents.name(base).equals("data") ? FolderContents.parent(base) : base;
    List<HistoryFile> files = new ArrayList<>();
    files.add(HistoryFile.below(home, main, HistoryFile.MAIN, Kind.DOCUMENT));
    if (named) {
      for (Path each : FolderContents.below(folder)) {
        if (!each.equals(main)) {
          String slot = folder.relativize(each).toString().replace('\\', '/');
          files.add(HistoryFile.below(home, each, slot, kind(each, id)));
        }
      }
      Path tasks = base.resolve("state").resolve(ClineReader.TASKS);
      if (FolderContents.name(main).equals(TASK) && Files.isRegularFile(tasks)) {
        files.add(HistoryFile.below(home, tasks, ClineReader.TASKS, Kind.SHARED));
      }
    }
    return new SessionFiles(named ? id : "path:" + main, home, files);
  }

  private static Kind kind(Path file, String id) {
    String name = FolderContents.name(file);
    if (name.endsWith(MESSAGES) || name.equals(ClineDisplay.FILE)) {
      return Kind.DOCUMENT;
    }
    return name.equals(id + ".json") || name.equals(ClineReader.TASK)
        ? Kind.DESCRIPTION
        : Kind.ATTACHMENT;
  }

  @Override
  public List<String> suffixes() {
    return List.of(MESSAGES, TASK);
  }

  @Override
  public Set<String> elided() {
    return Set.of();
  }

  @Override
  public TranscriptReader reader(String slot) {
    return slot.equals(ClineDisplay.FILE) ? new ClineDisplay() : new ClineReader(slot);
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    if (plan.files().stream().anyMatch(file -> file.file().name().contains("tasks/"))) {
      return List.of("The task stands in the history of Cline's extension.");
    }
    String folder = plan.view().folder();
    return List.of(
        "Go on with it"
            + (folder.isEmpty() ? "" : " in " + folder)
            + ": cline --id "
            + plan.view().session(),
        "Cline starts anew and writes over a conversation whose manifest is missing or that is"
            + " torn.");
  }
}
