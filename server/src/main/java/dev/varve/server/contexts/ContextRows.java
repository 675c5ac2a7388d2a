// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.TurnId;
import dev.varve.server.query.TextField;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The searchable facts of contexts as columns: about 80 bytes for each context and its title, so
/// that a query over a million contexts reads memory and no payload.
///
/// A row is for a context's number. Rows are read on demand; the events of the store say which rows
/// to read again. A fact that no column can hold makes a row [#ODD], and the row is then judged by
/// the context itself.
///
/// Safe for use by any number of threads. Queries look at rows in [#mark], under the lock.
final class ContextRows {

  /// The greatest number of a context that has a row.
  static final int NUMBER_MAX = 1 << 30;

  private static final int PRESENT = 1;
  private static final int MISSING = 2;
  private static final int ODD = 4;
  private static final int BOOKKEEPING = 8;
  private static final int OWN = 16;

  /// The metadata comes from a turn of another context, perhaps.
  private static final int INHERITED = 32;

  // ---- columns
  private final IntColumn flags = new IntColumn();
  private final Map<TextField, IntColumn> words = new EnumMap<>(TextField.class);
  private final IntColumn labels = new IntColumn();
  private final IntColumn parents = new IntColumn();
  private final IntColumn roots = new IntColumn();
  private final IntColumn forkedFrom = new IntColumn();
  private final IntColumn depths = new IntColumn();
  private final IntColumn[] created = columns(2);
  private final IntColumn[] abouts = columns(2);
  private final IntColumn[] sources = columns(2);
  private final TextPool texts = new TextPool();

  /// Lists of labels, each as the numbers of its texts.
  private final TextPool lists = new TextPool();

  private final long budgetBytes;
  private long generation;
  private int greatest;

  /// Contexts that changed since their rows were read. Guarded by itself, so that an event waits
  /// for no query.
  private final BitSet changed = new BitSet();

  ContextRows(long budgetBytes) {
    this.budgetBytes = budgetBytes;
  }

  private static IntColumn[] columns(int count) {
    IntColumn[] columns = new IntColumn[count];
    for (int i = 0; i < count; i++) {
      columns[i] = new IntColumn();
    }
    return columns;
  }

  private static long wide(IntColumn[] halves, int row) {
    return (long) halves[1].get(row) << 32 | Integer.toUnsignedLong(halves[0].get(row));
  }

  private static void setWide(IntColumn[] halves, int row, long value) {
    halves[0].set(row, (int) value);
    halves[1].set(row, (int) (value >>> 32));
  }

  static boolean hasRow(long context) {
    return context > 0 && context <= NUMBER_MAX;
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

  /// Hears that a turn was patched or deleted: rows that may have been read from it are read again.
  synchronized void overlaid(TurnId turn) {
    generation++;
    for (int row = 1; row <= greatest; row++) {
      if ((flags.get(row) & INHERITED) != 0 || wide(sources, row) == turn.value()) {
        flags.set(row, 0);
      }
    }
  }

  /// Hears that any turn may have changed.
  synchronized void forget() {
    generation++;
    for (int row = 1; row <= greatest; row++) {
      flags.set(row, 0);
    }
  }

  // ---- rows

  /// Counts the changes that make what is being read invalid: see [#put].
  synchronized long generation() {
    return generation;
  }

  /// Returns whether a row says what its context says now, or that there is no context.
  synchronized boolean isFresh(long context) {
    return hasRow(context) && flags.get((int) context) != 0 && !isChanged((int) context);
  }

  /// The rows from `low` to `high` that are not right, the greatest first.
  synchronized int[] unread(int low, int high) {
    int[] found = new int[high - low + 1];
    int count = 0;
    synchronized (changed) {
      for (int row = high; row >= low; row--) {
        if (flags.get(row) == 0 || changed.get(row)) {
          found[count++] = row;
        }
      }
    }
    return Arrays.copyOf(found, count);
  }

  /// Begins to read a context: changes from now on make the row be read again.
  ///
  /// @return whether the row, but for the depth, is right if the head is this one
  synchronized boolean isFinal(ContextHead head) {
    int row = (int) head.id().value();
    synchronized (changed) {
      changed.clear(row);
    }
    boolean same =
        (flags.get(row) & (PRESENT | OWN)) == (PRESENT | OWN)
            && wide(abouts, row) == fingerprint(head.about());
    if (same) {
      depths.set(row, head.headDepth());
    }
    return same;
  }

  /// Records that there is no context with a number.
  synchronized void missing(long context) {
    synchronized (changed) {
      changed.clear((int) context);
    }
    flags.set((int) context, MISSING);
    greatest = Math.max(greatest, (int) context);
  }

  /// Drops a row that is not right any more.
  synchronized void drop(long context) {
    if (flags.get((int) context) != 0) {
      flags.set((int) context, 0);
    }
  }

  /// Records what a context says.
  ///
  /// @param before the [#generation] before it was read
  synchronized void put(ContextHead head, ContextFinder.FoundEntry found, long before) {
    int row = (int) head.id().value();
    flags.set(row, 0);
    if (generation != before) {
      return; // a turn changed meanwhile: read again by the next query
    }
    ContextEntry entry = found.entry();
    depths.set(row, head.headDepth());
    setWide(created, row, head.createdAt().toEpochMilli());
    setWide(abouts, row, fingerprint(head.about()));
    setWide(sources, row, found.source().value());
    boolean hasWords = setWords(row, entry);
    boolean hasLinks = setLinks(row, entry);
    boolean plain = hasWords && hasLinks;
    flags.set(
        row,
        PRESENT
            | (plain ? 0 : ODD)
            | (entry.isBookkeeping() ? BOOKKEEPING : 0)
            | (entry.isOwn() ? OWN : 0)
            | (found.isInherited() ? INHERITED : 0));
    greatest = Math.max(greatest, row);
  }

  private boolean setWords(int row, ContextEntry entry) {
    boolean plain = true;
    for (TextField field : TextField.values()) {
      int number = number(entry.text(field));
      words(field).set(row, Math.max(0, number));
      plain &= number >= 0;
    }
    List<String> all = entry.metadata().labels();
    ByteBuffer list = ByteBuffer.allocate(all.size() * Integer.BYTES);
    for (String label : all) {
      int number = number(label);
      list.putInt(number);
      plain &= number >= 0;
    }
    labels.set(row, all.isEmpty() ? 0 : lists.add(list.array()));
    return plain;
  }

  private boolean setLinks(int row, ContextEntry entry) {
    boolean hasParent = setLink(parents, row, entry.metadata().parent());
    boolean hasRoot = setLink(roots, row, entry.metadata().root());
    boolean hasOrigin = setLink(forkedFrom, row, entry.parentByFork());
    return hasParent && hasRoot && hasOrigin;
  }

  private static boolean setLink(IntColumn column, int row, @Nullable Long context) {
    boolean fits = context == null || hasRow(context);
    column.set(row, context == null || !fits ? 0 : (int) (long) context);
    return fits;
  }

  /// The number of a text, which is added if it is new; -1 if it has no bytes, because half of a
  /// character is missing.
  private int number(@Nullable String text) {
    byte[] bytes = text == null ? null : utf8(text);
    return text == null ? 0 : bytes == null ? -1 : texts.add(bytes);
  }

  static byte @Nullable [] utf8(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] exact = new byte[bytes.remaining()];
      bytes.get(exact);
      return exact;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static long fingerprint(@Nullable BlobHash about) {
    return about == null ? 0 : ByteBuffer.wrap(about.bytes()).getLong() | 1;
  }

  /// Returns whether the budget of memory is used up.
  synchronized boolean isFull() {
    return weightBytes() > budgetBytes;
  }

  private long weightBytes() {
    long columns = 0;
    for (IntColumn each : List.of(flags, labels, parents, roots, forkedFrom, depths)) {
      columns += each.weightBytes();
    }
    for (IntColumn each : words.values()) {
      columns += each.weightBytes();
    }
    for (IntColumn[] several : List.of(created, abouts, sources)) {
      for (IntColumn each : several) {
        columns += each.weightBytes();
      }
    }
    return columns + texts.weightBytes() + lists.weightBytes();
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
      int flag = flags.get(row);
      marks[row - low] =
          (flag & ODD) != 0 || flag == 0
              ? Judgement.UNKNOWN
              : (flag & (PRESENT | BOOKKEEPING)) == PRESENT && test.test(row)
                  ? Judgement.YES
                  : Judgement.NO;
    }
  }

  /// The parent of a context for its lineage: the declared one, otherwise the one that it was
  /// forked from; 0 for none, -1 if the row does not say.
  synchronized long parent(long context) {
    int row = (int) context;
    int flag = flags.get(row);
    if ((flag & PRESENT) == 0 || (flag & ODD) != 0) {
      return -1;
    }
    return parents.get(row) == 0 ? forkedFrom.get(row) : parents.get(row);
  }

  /// Returns whether a context is there and holds a conversation, not a program's notes.
  synchronized Judgement conversation(long context) {
    if (!isFresh(context)) {
      return Judgement.UNKNOWN;
    }
    int flag = flags.get((int) context) & (PRESENT | BOOKKEEPING);
    return flag == PRESENT ? Judgement.YES : Judgement.NO;
  }

  // ---- columns, for tests of rows under the lock

  TextPool texts() {
    return texts;
  }

  TextPool lists() {
    return lists;
  }

  IntColumn words(TextField field) {
    return words.computeIfAbsent(field, _ -> new IntColumn());
  }

  IntColumn labels() {
    return labels;
  }

  IntColumn parents() {
    return parents;
  }

  IntColumn roots() {
    return roots;
  }

  long createdAtUnixMs(int row) {
    return wide(created, row);
  }

  int depth(int row) {
    return depths.get(row);
  }
}
