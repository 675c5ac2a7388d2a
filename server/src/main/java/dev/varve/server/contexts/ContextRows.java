// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.TurnId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The searchable facts of contexts: about 90 bytes for each context and its title, so that a query
/// over a million contexts reads memory and no payload.
///
/// A row is for a context's number. Rows are read on demand, or taken from a file at the beginning;
/// the events of the store say which rows to read again. A fact that no column can hold makes a row
/// [RowColumns#ODD], and the row is then judged by the context itself.
///
/// Safe for use by any number of threads. Queries look at rows in [#mark], under the lock.
final class ContextRows {

  /// The most patched or deleted turns that are remembered while a file is read.
  private static final int WAITING_MAX = 10_000;

  private final long budgetBytes;
  private RowColumns columns = new RowColumns();
  private long generation;

  /// Counts how often all rows were dropped.
  private long forgotten;

  /// The number of rows that were read since [#written].
  private long readCount;

  /// The sign that rows are awaited from a file; until they come, none is read.
  private boolean awaiting;

  /// The turns that were patched or deleted while rows are awaited.
  private final List<TurnId> waiting = new ArrayList<>();

  private final OverlaySpan overlays;

  /// Contexts that changed since their rows were read. Guarded by itself, so that an event waits
  /// for no query.
  private final BitSet changed = new BitSet();

  /// @param overlays how many overlays the store has
  ContextRows(long budgetBytes, long overlays) {
    this.budgetBytes = budgetBytes;
    this.overlays = new OverlaySpan(overlays);
  }

  static boolean hasRow(long context) {
    return RowColumns.hasRow(context);
  }

  // ---- changes

  /// Hears that a context was created or appended to.
  void changed(long context) {
    if (hasRow(context)) {
      synchronized (changed) {
        changed.set((int) context);
      }
    }
  }

  private boolean isChanged(int row) {
    synchronized (changed) {
      return changed.get(row);
    }
  }

  /// Hears that a context was described, or moved to any turn.
  synchronized void moved(long context) {
    generation++;
    changed(context);
    if (hasRow(context)) {
      drop(context);
    }
  }

  /// Hears that a turn got an overlay, whatever its kind.
  void heard(long seq) {
    overlays.add(seq);
  }

  /// The last overlay up to which all were heard of.
  long overlaysHeard() {
    return overlays.last();
  }

  /// Hears that a turn was patched or deleted: rows that may have been read from it are read again.
  synchronized void overlaid(TurnId turn) {
    generation++;
    columns.drop(turn);
    if (awaiting) {
      waiting.add(turn);
    }
  }

  /// Hears that any turn may have changed. No word stays that was read before.
  synchronized void forget() {
    generation++;
    forgotten++;
    columns = new RowColumns();
  }

  // ---- files

  /// Reads no rows until [#take].
  synchronized void await() {
    awaiting = true;
  }

  /// Takes rows that were found right since [#await], unless so much changed meanwhile that they
  /// may be wrong. Rows are read again from now on.
  ///
  /// @param found null for none
  /// @param before what [#forgotten] was before the rows were found
  /// @return whether the rows were taken
  synchronized boolean take(@Nullable RowColumns found, long before) {
    boolean taken = found != null && forgotten == before && waiting.size() <= WAITING_MAX;
    if (taken && found != null) {
      waiting.forEach(found::drop);
      columns = found; // contexts that changed meanwhile are known: see [#changed]
    }
    generation++;
    awaiting = false;
    waiting.clear();
    return taken;
  }

  /// Counts how often all rows were dropped.
  synchronized long forgotten() {
    return forgotten;
  }

  /// Returns whether so many rows were read since [#written] that others wait for a file of them.
  ///
  /// @param part the share of all rows: one in so many
  synchronized boolean isWorthAFile(long least, int part) {
    return readCount >= Math.max(least, columns.greatest() / part);
  }

  /// Begins to write a file.
  synchronized void written() {
    readCount = 0;
  }

  synchronized int textCount() {
    return columns.texts().count();
  }

  synchronized int listCount() {
    return columns.lists().count();
  }

  synchronized int greatest() {
    return columns.greatest();
  }

  /// Appends texts to a file as far as there is room.
  ///
  /// @return the first number that is not written
  synchronized int writeTexts(int first, int last, ByteBuffer out) {
    return columns.texts().write(first, last, out);
  }

  /// Appends lists of labels to a file as far as there is room.
  ///
  /// @return the first number that is not written
  synchronized int writeLists(int first, int last, ByteBuffer out) {
    return columns.lists().write(first, last, out);
  }

  /// Appends the rows from `first` on that are right to a file, as far as there is room.
  ///
  /// @return the first number that was not looked at
  synchronized int writeRows(int first, int last, int textCount, int listCount, ByteBuffer out) {
    int row = first;
    synchronized (changed) {
      for (; row <= last && out.remaining() >= RowColumns.ROW_BYTES; row++) {
        if (!changed.get(row) && columns.isKept(row, textCount, listCount)) {
          columns.write(row, out);
        }
      }
    }
    return row;
  }

  // ---- rows

  /// Counts the changes that make what is being read invalid: see [#put].
  synchronized long generation() {
    return generation;
  }

  /// Returns whether a row says what its context says now, or that there is no context.
  synchronized boolean isFresh(long context) {
    return hasRow(context) && columns.flags((int) context) != 0 && !isChanged((int) context);
  }

  /// The rows from `low` to `high` that are not right, the greatest first.
  synchronized int[] unread(int low, int high) {
    int[] found = new int[high - low + 1];
    int count = 0;
    synchronized (changed) {
      for (int row = high; row >= low; row--) {
        if (columns.flags(row) == 0 || changed.get(row)) {
          found[count++] = row;
        }
      }
    }
    return Arrays.copyOf(found, count);
  }

  /// Begins to read a context: changes from now on make the row be read again.
  ///
  /// @return the first own turn of the context, if the row is right for the head in case that this
  ///   turn still is the first: see [#confirm]. Otherwise [TurnId#NONE]
  synchronized TurnId begin(ContextHead head) {
    if (awaiting) {
      return TurnId.NONE;
    }
    synchronized (changed) {
      changed.clear((int) head.id().value());
    }
    return columns.source(head);
  }

  /// Records that a row is right, but for the depth.
  ///
  /// @param before the [#generation] before
  /// @return whether the row is right; if not, the context has to be read
  synchronized boolean confirm(ContextHead head, long before) {
    boolean same = generation == before && !columns.source(head).isNone();
    if (same) {
      columns.setHead(head);
      readCount++;
    }
    return same;
  }

  /// Records that there is no context with a number.
  synchronized void missing(long context) {
    if (awaiting) {
      return;
    }
    synchronized (changed) {
      changed.clear((int) context);
    }
    columns.setFlags((int) context, RowColumns.MISSING);
  }

  /// Drops a row that is not right any more.
  synchronized void drop(long context) {
    columns.setFlags((int) context, 0);
  }

  /// Records what a context says.
  ///
  /// @param before the [#generation] before it was read
  synchronized void put(ContextHead head, ContextFinder.FoundEntry found, long before) {
    int row = (int) head.id().value();
    columns.setFlags(row, 0);
    if (generation != before) {
      return; // a turn changed meanwhile: read again by the next query
    }
    columns.setFlags(row, columns.set(head, found));
    readCount++;
  }

  /// Returns whether no row can be read now: the budget of memory is used up, or rows are awaited
  /// from a file.
  synchronized boolean isFull() {
    return awaiting || columns.weightBytes() > budgetBytes;
  }

  /// The memory that the rows may take.
  long budgetBytes() {
    return budgetBytes;
  }

  // ---- looking

  /// The result of a query for a row.
  enum Judgement {
    NO,
    YES,
    /// The context itself has to be looked at.
    UNKNOWN
  }

  /// Judges the rows from `low` to `high`, the first in the first place of `marks`.
  ///
  /// @param query gives a test of rows, under the lock
  synchronized void mark(int low, int high, Supplier<IntPredicate> query, Judgement[] marks) {
    IntPredicate test = query.get();
    for (int row = low; row <= high; row++) {
      int flag = columns.flags(row);
      marks[row - low] =
          (flag & RowColumns.ODD) != 0 || flag == 0
              ? Judgement.UNKNOWN
              : isConversation(flag) && test.test(row) ? Judgement.YES : Judgement.NO;
    }
  }

  private static boolean isConversation(int flag) {
    return (flag & (RowColumns.PRESENT | RowColumns.BOOKKEEPING)) == RowColumns.PRESENT;
  }

  /// The parent of a context for its lineage: the declared one, otherwise the one that it was
  /// forked from; 0 for none, -1 if the row does not say.
  synchronized long parent(long context) {
    int flag = columns.flags((int) context) & (RowColumns.PRESENT | RowColumns.ODD);
    return flag == RowColumns.PRESENT ? columns.parent((int) context) : -1;
  }

  /// Returns whether a context is there and holds a conversation, not a program's notes.
  synchronized Judgement conversation(long context) {
    if (!isFresh(context)) {
      return Judgement.UNKNOWN;
    }
    return isConversation(columns.flags((int) context)) ? Judgement.YES : Judgement.NO;
  }

  /// The columns, for tests of rows under the lock.
  RowColumns columns() {
    return columns;
  }
}
