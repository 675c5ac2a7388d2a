// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.claude;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The history of Claude Code.
///
/// A session is `projects/<folder>/<id>.jsonl`, with sub-agents and large outputs in a folder
/// `<id>` beside it, and with the backups of edited files in `file-history/<id>`.
public final class ClaudeProfile implements HistoryProfile {

  private static final String SUFFIX = ".jsonl";
  private static final String PROJECTS = "projects";
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /// The members that a fork changes in its copies of records.
  private static final Set<String> ELIDED =
      Set.of(
          "sessionId", "session_id", "sessionKind", "promptId", "requestSessionId", "forkedFrom");

  @Override
  public String agent() {
    return "claude-code";
  }

  @Override
  public String displayName() {
    return "Claude Code";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public SourceFormat format() {
    return SourceFormat.CLAUDE_CODE;
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.folder("CLAUDE_CONFIG_DIR", ".claude"));
  }

  /// Forks share the records of their parents whichever comes first, so any order will do.
  @Override
  public List<SessionFiles> sessions(Path home) {
    Path projects = home.resolve(PROJECTS);
    List<SessionFiles> sessions = new ArrayList<>();
    for (Path folder : FolderContents.folders(projects)) {
      for (Path file : FolderContents.files(folder)) {
        if (FolderContents.name(file).endsWith(SUFFIX)) {
          sessions.add(session(home, file));
        }
      }
    }
    sessions.sort(Comparator.comparing(session -> session.main().path()));
    return sessions;
  }

  @Override
  public List<Path> watched(Path home) {
    return List.of(home.resolve(PROJECTS), home.resolve("file-history"));
  }

  @Override
  public SessionFiles session(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path folder = FolderContents.parent(absolute);
    Path projects = folder.getParent();
    boolean inHome =
        projects != null
            && projects.getParent() != null
            && FolderContents.name(projects).equals(PROJECTS);
    return session(projects != null && inHome ? FolderContents.parent(projects) : folder, absolute);
  }

  private static SessionFiles session(Path home, Path file) {
    String name = FolderContents.name(file);
    String id = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    boolean named = ID.matcher(id).matches();
    List<HistoryFile> files = new ArrayList<>();
    files.add(HistoryFile.below(home, file, HistoryFile.MAIN, Kind.TRANSCRIPT));
    if (named) {
      Path folder = FolderContents.parent(file).resolve(id);
      FolderContents.below(folder)
          .forEach(
              each -> {
                String slot = folder.relativize(each).toString();
                files.add(HistoryFile.below(home, each, slot, kind(each)));
              });
      Path backups = home.resolve("file-history").resolve(id);
      FolderContents.below(backups)
          .forEach(
              each -> {
                String slot = "file-history/" + backups.relativize(each);
                files.add(HistoryFile.below(home, each, slot, Kind.ATTACHMENT));
              });
    }
    return new SessionFiles(named ? id : "path:" + file, home, files);
  }

  /// A sub-agent's transcript is named for the sub-agent; the journal of a workflow is no
  /// transcript.
  private static Kind kind(Path file) {
    String name = FolderContents.name(file);
    return name.startsWith("agent-") && name.endsWith(SUFFIX) ? Kind.TRANSCRIPT : Kind.ATTACHMENT;
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
    return new ClaudeReader();
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    String folder = plan.view().folder();
    return List.of(
        "Go on with it"
            + (folder.isEmpty() ? "" : " in " + folder)
            + ": claude --resume "
            + plan.view().session(),
        "Claude Code deletes transcripts that were not written to for 30 days:"
            + " cleanupPeriodDays in settings.json says otherwise.");
  }
}
