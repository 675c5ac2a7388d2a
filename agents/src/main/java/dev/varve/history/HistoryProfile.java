// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.imports.SourceFolder;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The profile of one agent's history: where the agent keeps its sessions, which files make up a
/// session, and how the bytes of a transcript become turns.
///
/// A profile has a version. Bytes are archived whatever the profile makes of them, so a better
/// version of the profile reads the archived bytes again; the source is not needed for that.
public interface HistoryProfile {

  /// The agent's name on the command line and in the types of turns, for instance `claude-code`.
  String agent();

  /// The agent's name for people, for instance `Claude Code`.
  String displayName();

  /// The version of the view. A greater one makes new turns of what is archived.
  int version();

  /// Says whether the profile rests on samples and descriptions only: the agent itself has judged
  /// nothing that was read or put back.
  default boolean isExperimental() {
    return false;
  }

  /// The format of the first record of a transcript.
  SourceFormat format();

  /// Says whether a file, be it compressed or a database, is one of the agent's.
  ///
  /// @param found the format of the file's beginning
  /// @throws dev.varve.StoreException.Io if the file cannot be read
  default boolean owns(Path file, SourceFormat found) {
    return found == format();
  }

  /// Says whether a transcript may begin with a record of a format.
  default boolean reads(SourceFormat first) {
    return first == format();
  }

  /// The folders in which the agent keeps what it keeps, whether or not they exist.
  List<Path> homes(AgentEnvironment environment);

  /// All sessions below one of the [#homes], in an order in which a session stands behind the
  /// sessions that it was forked from. None if the folder does not exist. [SessionListing] is for
  /// callers that want the rest where a folder cannot be read.
  ///
  /// @return with [SessionFiles#unlisted] in the place of a database that cannot be read
  /// @throws dev.varve.StoreException.Io if a folder that exists cannot be read
  List<SessionFiles> sessions(Path home);

  /// The folders in which something changes when a session does, each with all folders inside; the
  /// home itself without the folders inside. They need not exist.
  List<Path> watched(Path home);

  /// The ends of the names of transcripts, by which they are found in a folder that is not laid out
  /// as the agent does it.
  default List<String> suffixes() {
    return List.of(SourceFolder.JSON_LINES);
  }

  /// Says whether the agent keeps sessions in the folder of each project: a folder that holds some
  /// may have folders inside that hold more.
  default boolean keepsPerProject() {
    return false;
  }

  /// The session to which a file belongs, wherever the file lies.
  SessionFiles session(Path file);

  /// The sessions that a file holds: of most agents, the one to which the file belongs.
  ///
  /// @throws dev.varve.StoreException.Io if the file cannot be read
  default List<SessionFiles> sessionsIn(Path file) {
    return List.of(session(file));
  }

  /// Says whether the agent only ever appends to a transcript, in the same file, or puts another
  /// file in its place. Of a transcript that grew, only the new lines are read then.
  default boolean appendsOnly() {
    return false;
  }

  /// The outermost members of a record that a fork changes in its copies. The payload of a turn
  /// leaves them out, so that the copies are the same turn.
  Set<String> elided();

  /// A reader of one transcript of a session.
  ///
  /// @param slot the transcript's place in the session
  TranscriptReader reader(String slot);

  /// Puts rows back into the agent's database; empty if the agent keeps its sessions in files.
  default Optional<RowTarget> rows() {
    return Optional.empty();
  }

  /// Sentences for a person who put a session back, or plans to: the command that goes on with it,
  /// and the habits of the agent that endanger it.
  List<String> afterPutBack(PutBackPlan plan);
}
