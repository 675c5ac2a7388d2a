// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The history of Copilot CLI: a session is the folder `session-state/<id>` with its log
/// `events.jsonl`, or the one log `session-state/<id>.jsonl`.
public final class CopilotProfile extends SampledProfile {

  private static final String EVENTS = "events.jsonl";
  private static final String SESSIONS = "session-state";

  public CopilotProfile() {
    super("copilot", "Copilot CLI", SourceFormat.COPILOT_CLI, SESSIONS);
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.folder("COPILOT_HOME", ".copilot"));
  }

  @Override
  boolean isTranscript(Path file) {
    boolean flat = FolderContents.name(FolderContents.parent(file)).equals(SESSIONS);
    String name = FolderContents.name(file);
    return flat ? name.endsWith(SourceFolder.JSON_LINES) : name.equals(EVENTS);
  }

  @Override
  public SessionFiles session(Path file) {
    Path main = file.toAbsolutePath().normalize();
    Path folder = FolderContents.parent(main);
    boolean own = FolderContents.name(FolderContents.parent(folder)).equals(SESSIONS);
    if (!own) {
      return session(file, Kind.TRANSCRIPT, Map.of());
    }
    Path home = home(main);
    List<HistoryFile> files = new ArrayList<>();
    files.add(HistoryFile.below(home, main, HistoryFile.MAIN, Kind.TRANSCRIPT));
    for (Path each : FolderContents.below(folder)) {
      if (!each.equals(main)) {
        String slot = folder.relativize(each).toString();
        Kind kind = slot.equals(CopilotReader.WORKSPACE) ? Kind.DESCRIPTION : Kind.ATTACHMENT;
        files.add(HistoryFile.below(home, each, slot, kind));
      }
    }
    return new SessionFiles(FolderContents.name(folder), home, files);
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new CopilotReader();
  }
}
