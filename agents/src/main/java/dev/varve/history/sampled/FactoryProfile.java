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

/// The history of Factory's droid: a session is `sessions/<folder>/<id>.jsonl`, in older versions
/// `sessions/<id>.jsonl`, with `<id>.settings.json`.
public final class FactoryProfile extends SampledProfile {

  public FactoryProfile() {
    super("factory", "Factory droid", SourceFormat.FACTORY, "sessions");
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.userHome().resolve(".factory"));
  }

  @Override
  boolean isTranscript(Path file) {
    return FolderContents.name(file).endsWith(SourceFolder.JSON_LINES);
  }

  @Override
  public SessionFiles session(Path file) {
    return session(file, Kind.TRANSCRIPT, Map.of(FactoryReader.SETTINGS, Kind.DESCRIPTION));
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new FactoryReader();
  }
}
