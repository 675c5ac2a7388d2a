// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.imports.ProblemList;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// The contexts of `heads.tbl`: each record has the head of a context from its time on.
///
/// The server overwrites a context's time at each append. The first record of a context has the
/// time of its creation and, if the context was forked, the turn of the fork.
final class CxdbHeads {

  private static final class Context {
    private final long firstHead;
    private final long firstAtMs;
    private long newestHead;
    private long newestAtMs;
    private long wholeHead;

    private Context(CxdbHead first) {
      firstHead = first.head();
      firstAtMs = first.atMs();
    }
  }

  private final SourceFile table;
  private final Map<Long, Context> contexts = new TreeMap<>();
  private long setBack;

  private CxdbHeads(SourceFile table) {
    this.table = table;
  }

  /// Gives each of `turns` the context through which the turn was appended.
  static void readOwners(SourceFile table, CxdbTurns turns) {
    new RecordSlots(table, CxdbHead.SIZE_BYTES)
        .visit(
            new ProblemList(), // the second reading reports them
            (_, slot) -> {
              CxdbHead record = CxdbHead.read(slot);
              if (record.context() > 0) {
                turns.own(record.head(), record.context());
              }
            });
  }

  /// Reads the heads of the contexts, once the turns were imported.
  static CxdbHeads read(SourceFile table, CxdbTurns turns, ProblemList problems) {
    CxdbHeads heads = new CxdbHeads(table);
    new RecordSlots(table, CxdbHead.SIZE_BYTES)
        .visit(
            problems,
            (offset, slot) -> {
              CxdbHead record = CxdbHead.read(slot);
              if (record.context() > 0) {
                heads.take(record, turns);
              } else {
                String id = Long.toUnsignedString(record.context());
                problems.add(table.name(), offset, "context " + id + " cannot be");
              }
            });
    return heads;
  }

  private void take(CxdbHead record, CxdbTurns turns) {
    Context context = contexts.computeIfAbsent(record.context(), _ -> new Context(record));
    context.newestHead = record.head();
    context.newestAtMs = record.atMs();
    if (turns.has(record.head())) {
      context.wholeHead = record.head();
    }
  }

  /// Makes the contexts. A context whose newest head is missing is set back to the newest of its
  /// heads that was imported.
  void restore(BulkStore store, CxdbTurns turns, ProblemList problems) {
    contexts.forEach(
        (id, context) -> {
          long head = context.newestHead;
          if (head != 0 && !turns.has(head)) {
            setBack++;
            head = context.wholeHead;
            problems.add(
                table.name(),
                -1,
                "context "
                    + id
                    + ": its head "
                    + Long.toUnsignedString(context.newestHead)
                    + " is missing; set back to "
                    + head);
          }
          try {
            store.restoreContext(
                new ContextId(id),
                new TurnId(head),
                base(id, context, turns),
                time(context.firstAtMs),
                time(context.newestAtMs),
                null);
          } catch (StoreException.Invalid e) {
            problems.add(table.name(), -1, "context " + id + ": left out: " + e.getMessage());
          }
        });
  }

  private static TurnId base(long id, Context context, CxdbTurns turns) {
    boolean forked = turns.has(context.firstHead) && !turns.ownedBy(context.firstHead, id);
    return forked ? new TurnId(context.firstHead) : TurnId.NONE;
  }

  private static Instant time(long ms) {
    return Instant.ofEpochMilli(Math.max(0, ms));
  }

  long count() {
    return contexts.size();
  }

  long setBack() {
    return setBack;
  }
}
