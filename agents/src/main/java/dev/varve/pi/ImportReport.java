// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.ContextId;
import dev.varve.TurnId;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of one session file.
///
/// Each line counts in `lines` and is accounted for once: it has an entry, or it counts in
/// `linesVerbatim`. Of a file that is [Outcome#UNCHANGED] the lines are not looked at and count as
/// 0; its entries are `turnsShared`.
///
/// @param session the header's id; empty if there is none
/// @param title what the session is called; may be empty
/// @param manifestContext the context from which the file can be exported; null if it failed
/// @param manifest the turn that tells this very version of the file; null if it failed
/// @param sizeBytes how many bytes were read
/// @param turnsNew entries that became turns now
/// @param turnsShared entries that were turns already: of this session, or of one it was forked
///   from
/// @param turnsRepeated entries that stand in the file more than once, word for word
/// @param contextsNew leaves that got a context
/// @param contextsAdvanced contexts whose leaf moved on
/// @param linesVerbatim lines without an entry: the header, empty lines, damage, things unknown
/// @param contexts those of the session's leaves, those of its earlier versions too; none if it
///   failed
/// @param problemCount how many problems there were
/// @param problems the first [#PROBLEMS_MAX] of them
public record ImportReport(
    Path file,
    Outcome outcome,
    String session,
    String title,
    @Nullable ContextId manifestContext,
    @Nullable TurnId manifest,
    long sizeBytes,
    long lines,
    long turnsNew,
    long turnsShared,
    long turnsRepeated,
    long contextsNew,
    long contextsAdvanced,
    long linesVerbatim,
    List<ContextId> contexts,
    long problemCount,
    List<Problem> problems) {

  /// How many problems are told one by one.
  public static final int PROBLEMS_MAX = 100;

  public ImportReport {
    contexts = List.copyOf(contexts);
    problems = List.copyOf(problems);
  }

  /// What happened.
  public enum Outcome {
    /// The session was not known before.
    NEW,
    /// The file begins with all that was known, and goes on.
    GROWN,
    /// The session was known, but the file was written anew. Both versions are kept.
    REWRITTEN,
    /// The file is as it was at the last import. Nothing was written.
    UNCHANGED,
    /// The file is an earlier version of what is known. It can be exported, but the newer one stays
    /// the session's.
    OLDER,
    /// The file could not be read. What was known stays as it was.
    FAILED
  }

  /// One thing that is not as it should be.
  ///
  /// @param line number of the physical line, starting at 1; 0 if it is about the whole file
  /// @param what in one line
  public record Problem(long line, String what) {}
}
