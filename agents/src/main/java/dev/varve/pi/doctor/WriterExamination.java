// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.pi.session.EntryKind;
import dev.varve.pi.session.EntryTable;
import java.util.BitSet;

/// The search for signs that more than one process wrote into a session, in one pass over its
/// entries in the file's order.
///
/// Pi moves to another branch of a session only between runs. A run that goes on behind a message
/// of another branch therefore has another process beside it. Two processes that are never busy at
/// the same time leave a weaker sign: each returns to the end of its own branch.
final class WriterExamination {

  private final EntryTable entries;
  private final EntryTimes times;
  private final RepairPlan plan;
  private final ProblemPlaces places;

  /// Entries that have a child before the entry that is looked at.
  private final BitSet continued = new BitSet();

  /// Ends of branches that were left by a return to the end of another branch.
  private final BitSet leftByReturn = new BitSet();

  /// The last message before the entry that is looked at, or -1.
  private int lastMessage = -1;

  private final Tally together = new Tally();
  private final Tally inTurn = new Tally();
  private final Tally beside = new Tally();

  /// The number of occurrences of one sign, and the first of them.
  private static final class Tally {
    private long count;
    private int first;

    void add(int entry) {
      first = count++ == 0 ? entry : first;
    }
  }

  WriterExamination(EntryTable entries, EntryTimes times, RepairPlan plan, ProblemPlaces places) {
    this.entries = entries;
    this.times = times;
    this.plan = plan;
    this.places = places;
  }

  void run() {
    for (int i = 0; i < entries.count(); i++) {
      if (plan.leavesOut(i)) {
        continue;
      }
      int parent = entries.parent(i);
      if (parent >= 0 && parent < plan.before(i)) {
        jump(i, parent);
      }
      if (parent >= 0) {
        continued.set(parent);
      }
      if (isMessage(entries.kind(i))) {
        lastMessage = i;
      }
    }
    add(SessionProblem.TWO_WRITERS, together, " a run went on behind another branch's message");
    if (together.count == 0) {
      add(SessionProblem.TAKING_TURNS, inTurn, " a branch was left for another and taken up again");
    }
    add(SessionProblem.BESIDE_MESSAGE, beside, " a record and a message have one parent");
  }

  /// Looks at an entry whose parent is not the entry before it.
  private void jump(int entry, int parent) {
    boolean goesOn =
        entries.kind(entry) == EntryKind.ASSISTANT || entries.kind(entry) == EntryKind.TOOL_RESULT;
    if (goesOn && entries.awaited(parent)) {
      if (lastMessage <= parent) {
        beside.add(plan.before(entry));
      } else if (!times.before(entry, lastMessage) && !times.startedAfter(entry, lastMessage)) {
        together.add(entry);
      }
    } else if (entries.kind(entry) == EntryKind.UNKNOWN
        && entries.awaited(parent)
        && continued.get(parent)) {
      beside.add(entry);
    } else if (isMessage(entries.kind(entry))
        && lastMessage > parent
        && !continued.get(parent)
        && !times.before(entry, lastMessage)) {
      if (leftByReturn.get(parent)) {
        inTurn.add(entry);
      }
      leftByReturn.set(plan.before(entry));
    }
  }

  private static boolean isMessage(EntryKind kind) {
    return switch (kind) {
      case USER,
          ASSISTANT,
          TOOL_RESULT,
          SYSTEM,
          BASH,
          OTHER_MESSAGE,
          COMPACTION,
          BRANCH_SUMMARY,
          CUSTOM_MESSAGE ->
          true;
      case MODEL, THINKING, CUSTOM, LABEL, NAME, USAGE, CONTEXT_EDIT, UNKNOWN -> false;
    };
  }

  private void add(SessionProblem problem, Tally tally, String what) {
    if (tally.count > 0) {
      int entry = tally.first;
      places.add(
          problem,
          entries.line(entry),
          entries.offset(entry),
          entries.sizeBytes(entry),
          tally.count + (tally.count == 1 ? " time" : " times") + what);
    }
  }
}
