// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import dev.varve.StoreException;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryProfile;
import dev.varve.history.PutBackPlan;
import dev.varve.history.RowTarget;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.history.rows.DatabaseKind;
import dev.varve.history.rows.RowInsertion;
import dev.varve.history.rows.RowLine;
import dev.varve.history.rows.SessionForest;
import dev.varve.imports.SourceFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The history of opencode: the rows of its database that belong to a session and to the sessions
/// that it began, with the log of events.
public final class OpencodeProfile implements HistoryProfile {

  /// The tables whose rows let their reader act for the user.
  private static final Set<String> SECRET =
      Set.of("credential", "account", "account_state", "control_account", "session_share");

  @Override
  public String agent() {
    return "opencode";
  }

  @Override
  public String displayName() {
    return "opencode";
  }

  @Override
  public int version() {
    return 1;
  }

  @Override
  public SourceFormat format() {
    return SourceFormat.OPENCODE;
  }

  @Override
  public boolean owns(Path file, SourceFormat found) {
    return found == SourceFormat.SQLITE
        && DatabaseKind.of(file).equals(Optional.of(DatabaseKind.OPENCODE));
  }

  @Override
  public boolean reads(SourceFormat first) {
    return first == SourceFormat.ROWS;
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.folder("XDG_DATA_HOME", ".local/share").resolve("opencode"));
  }

  @Override
  public List<SessionFiles> sessions(Path home) {
    List<SessionFiles> sessions = new ArrayList<>();
    for (Path file : FolderContents.files(home)) {
      String name = FolderContents.name(file);
      if (name.startsWith("opencode") && name.endsWith(".db")) {
        try {
          sessions.addAll(DatabaseListing.of(file));
        } catch (StoreException.Io e) {
          sessions.add(SessionFiles.unlisted(file, e));
        }
      }
    }
    return sessions;
  }

  @Override
  public List<String> suffixes() {
    return List.of(".db");
  }

  @Override
  public List<Path> watched(Path home) {
    return List.of(home);
  }

  /// The newest session of a database.
  @Override
  public SessionFiles session(Path file) {
    List<SessionFiles> sessions = sessionsIn(file);
    if (sessions.isEmpty()) {
      throw new StoreException.Invalid(file.toString(), "expected sessions, found none");
    }
    return sessions.getLast();
  }

  @Override
  public List<SessionFiles> sessionsIn(Path file) {
    SourceFormat.SQLITE.demandNoOther(file);
    return DatabaseListing.of(file.toAbsolutePath().normalize());
  }

  @Override
  public Set<String> elided() {
    return Set.of(RowLine.ROW);
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new OpencodeReader(slot.endsWith("/events"));
  }

  @Override
  public Optional<RowTarget> rows() {
    return Optional.of(
        new RowInsertion("opencode", RowDump::isWritten, SECRET, OpencodeProfile::writePart));
  }

  private static void writePart(Path database, String slot, String session, OutputStream out)
      throws IOException {
    RowDump.Part part = slot.endsWith("/events") ? RowDump.Part.EVENTS : RowDump.Part.CONVERSATION;
    String owner = slot.replaceFirst("/events$", "");
    String id = owner.equals(HistoryFile.MAIN) ? session : SessionForest.id(owner);
    RowDump.write(database, part, id, out);
  }

  @Override
  public List<String> afterPutBack(PutBackPlan plan) {
    String folder = plan.view().folder();
    return List.of(
        "Go on with it"
            + (folder.isEmpty() ? "" : " in " + folder)
            + ": opencode -s "
            + plan.view().session());
  }
}
