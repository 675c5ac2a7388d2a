// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.qwen;

import dev.varve.StoreException;
import dev.varve.files.RegularFile;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.HistoryProfile;
import dev.varve.history.PathHash;
import dev.varve.history.PlannedFile;
import dev.varve.history.PutBackPlan;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.imports.SourceFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The history of Qwen Code.
///
/// A session is `projects/<folder>/chats/<id>.jsonl`, with the transcripts of sub-agents in
/// `projects/<folder>/subagents/<id>` and the backups of edited files in `file-history/<id>`. With
/// the newest session of a project go the large outputs and the prompts of all its sessions.
public final class QwenProfile implements HistoryProfile {

  private static final String SUFFIX = ".jsonl";
  private static final String PROJECTS = "projects";
  private static final String CHATS = "chats";
  private static final int FIRST_LINE_BYTES_MAX = 1 << 20;

  /// The members that a fork changes in its copies of records.
  private static final Set<String> ELIDED = Set.of("sessionId", "forkedFrom");

  @Override
  public String agent() {
    return "qwen";
  }

  @Override
  public String displayName() {
    return "Qwen Code";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public SourceFormat format() {
    return SourceFormat.QWEN_CODE;
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.folder("QWEN_HOME", ".qwen"));
  }

  /// Forks share the records of their parents whichever comes first, so any order will do.
  @Override
  public List<SessionFiles> sessions(Path home) {
    List<SessionFiles> sessions = new ArrayList<>();
    for (Path project : FolderContents.folders(home.resolve(PROJECTS))) {
      List<Path> transcripts = transcripts(project.resolve(CHATS));
      Path newest = FolderContents.newest(transcripts);
      for (Path file : transcripts) {
        sessions.add(session(home, file, file.equals(newest)));
      }
    }
    return sessions;
  }

  private static List<Path> transcripts(Path chats) {
    return FolderContents.files(chats).stream()
        .filter(file -> FolderContents.name(file).endsWith(SUFFIX))
        .toList();
  }

  @Override
  public List<Path> watched(Path home) {
    return List.of(home.resolve(PROJECTS), home.resolve("file-history"));
  }

  @Override
  public SessionFiles session(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path chats = FolderContents.parent(absolute);
    Path projects = FolderContents.parent(FolderContents.parent(chats));
    boolean inHome =
        FolderContents.name(chats).equals(CHATS) && FolderContents.name(projects).equals(PROJECTS);
    if (!inHome) {
      HistoryFile main = HistoryFile.below(chats, absolute, HistoryFile.MAIN, Kind.TRANSCRIPT);
      return new SessionFiles("path:" + absolute, chats, List.of(main));
    }
    return session(
        FolderContents.parent(projects),
        absolute,
        absolute.equals(FolderContents.newest(transcripts(chats))));
  }

  private static SessionFiles session(Path home, Path file, boolean newest) {
    String name = FolderContents.name(file);
    String id = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    Path project = FolderContents.parent(FolderContents.parent(file));
    List<HistoryFile> files = new ArrayList<>();
    files.add(HistoryFile.below(home, file, HistoryFile.MAIN, Kind.TRANSCRIPT));
    Path agents = project.resolve("subagents").resolve(id);
    for (Path each : FolderContents.below(agents)) {
      boolean transcript = FolderContents.name(each).endsWith(SUFFIX);
      String slot = "subagents/" + agents.relativize(each);
      Kind kind = transcript ? Kind.TRANSCRIPT : Kind.ATTACHMENT;
      files.add(HistoryFile.below(home, each, slot, kind));
    }
    Path backups = home.resolve("file-history").resolve(id);
    for (Path each : FolderContents.below(backups)) {
      String slot = "file-history/" + backups.relativize(each);
      files.add(HistoryFile.below(home, each, slot, Kind.ATTACHMENT));
    }
    if (newest) {
      Path outputs = home.resolve("tmp").resolve(PathHash.of(folder(file)));
      for (Path each : FolderContents.files(outputs)) {
        String output = FolderContents.name(each);
        if (output.endsWith(".output") || output.equals("logs.json")) {
          files.add(HistoryFile.below(home, each, "project/" + output, Kind.PROJECT));
        }
      }
    }
    return new SessionFiles(id, home, files);
  }

  /// The folder that the first record of a transcript names; empty if the record names none.
  private static String folder(Path file) {
    try (InputStream in = RegularFile.read(file)) {
      byte[] start = in.readNBytes(FIRST_LINE_BYTES_MAX);
      int end = 0;
      while (end < start.length && start[end] != '\n') {
        end++;
      }
      return RecordValue.object(Arrays.copyOf(start, end))
          .map(record -> record.text("cwd"))
          .orElse("");
    } catch (NoSuchFileException e) {
      return ""; // deleted this moment
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
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
    return new QwenReader(ELIDED);
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    String folder = plan.view().folder();
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "Go on with it"
            + (folder.isEmpty() ? " in its folder" : " in " + folder + ", and nowhere else")
            + ": qwen --resume "
            + plan.view().session());
    for (PlannedFile file : plan.files()) {
      if (file.file().kind() == Kind.TRANSCRIPT && isTorn(file.path())) {
        sentences.add(
            file.path()
                + " ends within a line. Qwen Code writes its next record behind that and then finds"
                + " nothing of the history: add a line feed to the file first.");
      }
    }
    return sentences;
  }

  private static boolean isTorn(Path path) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      if (file.length() == 0) {
        return false;
      }
      file.seek(file.length() - 1);
      return file.read() != '\n';
    } catch (IOException e) {
      return false; // planned and not written
    }
  }
}
