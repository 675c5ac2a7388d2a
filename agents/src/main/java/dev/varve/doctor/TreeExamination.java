// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import dev.varve.pi.EntryId;
import dev.varve.pi.SessionRecord;
import dev.varve.session.EntryReader;
import dev.varve.session.EntryTable;
import dev.varve.session.Kind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// What is wrong with the tree that a file's entries make: parents that are missing, in a circle,
/// or of two writers. Decides who is to be whose parent in a repaired copy.
final class TreeExamination {

  private final SessionRecord.@Nullable Header header;
  private final EntryTable entries;
  private final EntryReader reader;
  private final Findings findings;
  private final RepairPlan plan;
  private final Optional<ForkedFrom> forkedFrom;

  TreeExamination(
      Path file,
      SessionRecord.@Nullable Header header,
      EntryTable entries,
      EntryReader reader,
      Findings findings,
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
    writers();
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
        add(Ailment.CIRCLE, i, "would follow " + (to < 0 ? "nothing" : "line " + entries.line(to)));
        hang(i, to);
        changed++;
      }
    }
    if (changed > 0) {
      openNewCircles();
    }
  }

  private void add(Ailment ailment, int entry, String detail) {
    findings.add(
        ailment, entries.line(entry), entries.offset(entry), entries.sizeBytes(entry), detail);
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
        fork ? Ailment.ORPHAN_AFTER_FORK : Ailment.ORPHAN,
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
      add(Ailment.PARENT_LATER, first, count + (count == 1 ? " entry" : " entries"));
    }
  }

  /// A run that was under way, then an entry of somebody else, then the run goes on: nobody can do
  /// that in one process, for Pi moves to another branch only between runs.
  private void writers() {
    long count = 0;
    int first = -1;
    for (int i = 1; i < entries.count(); i++) {
      int parent = entries.parent(i);
      boolean goesOn = entries.kind(i) == Kind.ASSISTANT || entries.kind(i) == Kind.TOOL_RESULT;
      if (goesOn
          && parent >= 0
          && parent < plan.before(i)
          && entries.awaited(parent)
          && !plan.leavesOut(i)) {
        first = count++ == 0 ? i : first;
      }
    }
    if (count > 0) {
      add(
          Ailment.TWO_WRITERS,
          first,
          count
              + (count == 1 ? " time" : " times")
              + " a run went on behind somebody else's entry");
    }
  }
}
