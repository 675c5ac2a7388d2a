// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The history of Cursor: of its command line, `projects/<folder>/agent-transcripts/…/<id>.jsonl`.
public final class CursorProfile extends SampledProfile {

  public CursorProfile() {
    super("cursor", "Cursor", SourceFormat.CURSOR, "projects");
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.userHome().resolve(".cursor"));
  }

  @Override
  boolean isTranscript(Path file) {
    return FolderContents.name(file).endsWith(SourceFolder.JSON_LINES)
        && file.toString().contains("agent-transcripts");
  }

  @Override
  public SessionFiles session(Path file) {
    return session(file, Kind.TRANSCRIPT, Map.of());
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new CursorTranscript();
  }
}
