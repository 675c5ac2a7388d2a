// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.StoreException;
import dev.varve.files.RegularFile;
import dev.varve.hash.Blake3;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The history of aider: one Markdown file in each folder where aider is used, to which every
/// launch is added. No list of the folders is kept, so only that of the user's home, or of the
/// variable, is found.
public final class AiderProfile extends SampledProfile {

  private static final String CHAT = ".aider.chat.history.md";
  private static final int FIRST_LINE_BYTES_MAX = 256;

  public AiderProfile() {
    super("aider", "aider", SourceFormat.AIDER, "");
  }

  @Override
  public int version() {
    return 2;
  }

  /// The folder of the history, and the history itself where it has a name of the user's.
  @Override
  public List<Path> homes(AgentEnvironment environment) {
    Path file = environment.folder("AIDER_CHAT_HISTORY_FILE", CHAT).toAbsolutePath();
    Path folder = FolderContents.parent(file);
    return isTranscript(file) ? List.of(folder) : List.of(folder, file);
  }

  @Override
  public boolean keepsPerProject() {
    return true;
  }

  @Override
  boolean isTranscript(Path file) {
    return FolderContents.name(file).equals(CHAT);
  }

  @Override
  public List<SessionFiles> sessions(Path home) {
    Path file = Files.isRegularFile(home) ? home : home.resolve(CHAT);
    return Files.isRegularFile(file) ? List.of(session(file)) : List.of();
  }

  @Override
  public List<Path> watched(Path home) {
    return List.of(home);
  }

  @Override
  public List<String> suffixes() {
    return List.of(CHAT);
  }

  /// The key is made of the first line and the folder's name: it is the same on every computer.
  @Override
  public SessionFiles session(Path file) {
    Path main = file.toAbsolutePath().normalize();
    Path home = FolderContents.parent(main);
    List<HistoryFile> files = new ArrayList<>();
    files.add(HistoryFile.below(home, main, HistoryFile.MAIN, Kind.TRANSCRIPT));
    for (String name : List.of(".aider.input.history", ".aider.llm.history")) {
      Path beside = main.resolveSibling(name);
      if (isTranscript(main) && Files.isRegularFile(beside)) {
        files.add(HistoryFile.below(home, beside, name, Kind.ATTACHMENT));
      }
    }
    String begins = FolderContents.name(home) + '\n' + firstLine(main);
    String hash = Blake3.hash(begins.getBytes(StandardCharsets.UTF_8)).toString();
    return new SessionFiles(hash, home, files);
  }

  private static String firstLine(Path file) {
    try (InputStream in = RegularFile.read(file)) {
      String start = new String(in.readNBytes(FIRST_LINE_BYTES_MAX), StandardCharsets.UTF_8);
      return start.strip().lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new AiderReader();
  }
}
