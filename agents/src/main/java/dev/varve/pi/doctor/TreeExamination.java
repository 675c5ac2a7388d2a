// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.EntryReader;
import dev.varve.pi.session.EntryTable;
import dev.varve.pi.session.SessionRecord;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The search for faults of the tree that a file's entries make: parents that are missing, or that
/// lead in a circle. Decides which parent each entry gets in a repaired copy.
final class TreeExamination {

  private final SessionRecord.@Nullable Header header;
  private final EntryTable entries;
  private final EntryReader reader;
  private final ProblemPlaces findings;
  private final RepairPlan plan;
  private final Optional<ForkedFrom> forkedFrom;

  TreeExamination(
      Path file,
      SessionRecord.@Nullable Header header,
      EntryTable entries,
      EntryReader reader,
      ProblemPlaces findings,
      RepairPlan plan) {
    this.header = header;
    this.entries = entries;
    this.reader = reader;
    this.findings = findings;
    this.plan = plan;
    this.forkedFrom =
        header == null || header.parentSession() == null || !hasOrphans()
            ? Optional.empty()
            : ForkedFrom.find(file, header.parentSession());
  }

  private boolean hasOrphans() {
    for (int i = 0; i < entries.count(); i++) {
      if (entries.parent(i) == EntryTable.MISSING) {
        return true;
      }
    }
    return false;
  }

  void run() {
    later();
    int changed = 0;
    for (int i = 0; i < entries.count(); i++) {
      if (plan.leavesOut(i)) {
        continue;
      }
      if (entries.parent(i) == EntryTable.MISSING) {
        orphan(i);
        changed++;
      } else if (entries.parent(i) == EntryTable.CIRCULAR) {
        int to = plan.before(i);
        add(
            SessionProblem.CIRCLE,
            i,
            "would follow " + (to < 0 ? "nothing" : "line " + entries.line(to)));
        hang(i, to);
        changed++;
      }
    }
    if (changed > 0) {
      openNewCircles();
    }
  }

  private void add(SessionProblem problem, int entry, String detail) {
    findings.add(
        problem, entries.line(entry), entries.offset(entry), entries.sizeBytes(entry), detail);
  }

  private void orphan(int entry) {
    String parent = reader.words(entries.offset(entry), entries.sizeBytes(entry)).parentId();
    EntryId id = entries.parentId(entry);
    OptionalInt known =
        forkedFrom.isEmpty() || id == null
            ? OptionalInt.empty()
            : forkedFrom.get().nearestAncestor(id, entries);
    int to = known.orElse(plan.before(entry));
    boolean fork = header != null && header.parentSession() != null;
    add(
        fork ? SessionProblem.ORPHAN_AFTER_FORK : SessionProblem.ORPHAN,
        entry,
        "parent "
            + (parent == null ? "?" : parent)
            + "; would follow "
            + (to < 0 ? "nothing" : "line " + entries.line(to))
            + (known.isPresent() ? ", as in the session that it was forked from" : ""));
    hang(entry, to);
  }

  private void hang(int entry, int to) {
    entries.setParent(entry, to < 0 ? EntryTable.ROOT : to);
    plan.parent(entry, to < 0 ? null : idOf(to));
  }

  private String idOf(int entry) {
    String renamed = plan.id(entry);
    return renamed == null ? reader.id(entries.offset(entry), entries.sizeBytes(entry)) : renamed;
  }

  /// Where a new parent would lead back to its child, the child becomes a root instead.
  private void openNewCircles() {
    entries.openCircles();
    for (int i = 0; i < entries.count(); i++) {
      if (entries.parent(i) == EntryTable.CIRCULAR) {
        plan.parent(i, null);
      }
    }
  }

  private void later() {
    long count = 0;
    int first = -1;
    for (int i = 0; i < entries.count(); i++) {
      if (entries.parent(i) > i && !plan.leavesOut(i)) {
        first = count++ == 0 ? i : first;
      }
    }
    if (count > 0) {
      add(SessionProblem.PARENT_LATER, first, count + (count == 1 ? " entry" : " entries"));
    }
  }
}
