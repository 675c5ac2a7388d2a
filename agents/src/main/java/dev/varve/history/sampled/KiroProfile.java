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

/// The history of Kiro's command line: a session is `sessions/cli/<id>.jsonl` with `<id>.json` and
/// `<id>.history`.
public final class KiroProfile extends SampledProfile {

  public KiroProfile() {
    super("kiro", "Kiro CLI", SourceFormat.KIRO, "sessions");
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.userHome().resolve(".kiro"));
  }

  @Override
  boolean isTranscript(Path file) {
    return FolderContents.name(file).endsWith(SourceFolder.JSON_LINES);
  }

  @Override
  public SessionFiles session(Path file) {
    return session(
        file, Kind.TRANSCRIPT, Map.of(".json", Kind.DESCRIPTION, ".history", Kind.ATTACHMENT));
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new KiroReader();
  }
}
