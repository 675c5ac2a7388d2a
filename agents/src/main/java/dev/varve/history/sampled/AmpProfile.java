// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The history of Amp: a session is the document `threads/T-<id>.json`, which is written anew each
/// time.
public final class AmpProfile extends SampledProfile {

  public AmpProfile() {
    super("amp", "Amp", SourceFormat.AMP, "threads");
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.folder("XDG_DATA_HOME", ".local/share").resolve("amp"));
  }

  @Override
  boolean isTranscript(Path file) {
    String name = FolderContents.name(file);
    return name.startsWith("T-") && name.endsWith(".json");
  }

  @Override
  public List<String> suffixes() {
    return List.of(".json");
  }

  @Override
  public SessionFiles session(Path file) {
    return session(file, Kind.DOCUMENT, Map.of());
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new AmpReader();
  }
}
