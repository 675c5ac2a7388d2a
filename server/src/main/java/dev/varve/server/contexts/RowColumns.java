// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.TurnId;
import dev.varve.server.query.TextField;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The columns of rows: each fact of a context is a number, and a text is the number of the text in
/// [#texts]. A row whose flags are 0 was not read. For one thread at a time.
final class RowColumns {

  /// The greatest number of a context that has a row.
  static final int NUMBER_MAX = 1 << 30;

  /// There is a context.
  static final int PRESENT = 1;

  /// There is no context.
  static final int MISSING = 2;

  /// A fact fits into no column: the context itself has to be looked at.
  static final int ODD = 4;

  /// The context holds a program's notes and no conversation.
  static final int BOOKKEEPING = 8;

  /// The context has a turn of its own.
  static final int OWN = 16;

  /// The metadata comes from a turn of another context, perhaps.
  static final int INHERITED = 32;

  /// Everything that the row is made from could be read. Damaged content may be mended unnoticed.
  static final int WHOLE = 64;

  /// The flags that each row in a file has, and those that it may have.
  static final int KEPT = PRESENT | WHOLE;

  private static final int KEPT_TOO = BOOKKEEPING | OWN | INHERITED;

  /// The texts of a row, in the order of a file.
  private static final List<TextField> WORDS =
      List.of(
          TextField.TAG,
          TextField.TITLE,
          TextField.USER,
          TextField.SERVICE,
          TextField.HOST,
          TextField.TRACE_ID);

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
  private final IntColumn[] heads = columns(2);
  private final TextPool texts = new TextPool();

  /// Lists of labels, each as the numbers of its texts.
  private final TextPool lists = new TextPool();

  /// The columns of four bytes in a row of a file: the texts first.
  private final List<IntColumn> narrow;

  private int greatest;

  RowColumns() {
    List<IntColumn> columns = new ArrayList<>();
    for (TextField field : WORDS) {
      IntColumn column = new IntColumn();
      words.put(field, column);
      columns.add(column);
    }
    columns.addAll(List.of(labels, parents, roots, forkedFrom, depths));
    narrow = List.copyOf(columns);
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

  /// The greatest number that was given a row.
  int greatest() {
    return greatest;
  }

  int flags(int row) {
    return flags.get(row);
  }

  /// Sets the flags of a row, which are 0 while the row is written.
  void setFlags(int row, int value) {
    if (value != 0) {
      greatest = Math.max(greatest, row);
    }
    if (value != 0 || flags.get(row) != 0) {
      flags.set(row, value);
    }
  }

  // ---- a context's facts

  /// Sets all columns of a row but the flags.
  ///
  /// @return the flags that are to be set
  int set(ContextHead head, ContextFinder.FoundEntry found) {
    int row = (int) head.id().value();
    ContextEntry entry = found.entry();
    setHead(head);
    setWide(created, row, head.createdAt().toEpochMilli());
    setWide(abouts, row, fingerprint(head.about()));
    setWide(sources, row, found.source().value());
    boolean hasWords = setWords(row, entry);
    boolean hasLinks = setLinks(row, entry);
    return PRESENT
        | (hasWords && hasLinks ? 0 : ODD)
        | (entry.isBookkeeping() ? BOOKKEEPING : 0)
        | (entry.isOwn() ? OWN : 0)
        | (found.isInherited() ? INHERITED : 0)
        | (found.isWhole() ? WHOLE : 0);
  }

  /// Notes where the context of a row points now.
  void setHead(ContextHead head) {
    int row = (int) head.id().value();
    depths.set(row, head.headDepth());
    setWide(heads, row, fingerprint(head));
  }

  private boolean setWords(int row, ContextEntry entry) {
    boolean plain = true;
    for (TextField field : TextField.values()) {
      int number = number(entry.text(field));
      words(field).set(row, Math.max(0, number));
      plain &= number >= 0;
    }
    List<String> all = entry.metadata().labels();
    ByteBuffer list =
        ByteBuffer.allocate(all.size() * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (String label : all) {
      int number = number(label);
      list.putInt(Math.max(0, number));
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

  /// Names a head: two heads of a context differ in their names.
  private static long fingerprint(ContextHead head) {
    long name = mixed(head.id().value());
    name = mixed(name ^ head.head().value());
    name = mixed(name ^ head.headDepth());
    name = mixed(name ^ head.base().value());
    name = mixed(name ^ head.createdAt().toEpochMilli());
    name = mixed(name ^ head.activeAt().toEpochMilli());
    return mixed(name ^ fingerprint(head.about()));
  }

  /// Spreads a number over 64 bits, as SplittableRandom does.
  private static long mixed(long number) {
    long h = number + 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
    h = (h ^ (h >>> 27)) * 0x94D049BB133111EBL;
    return h ^ (h >>> 31);
  }

  /// Returns whether a row was read from this very head.
  boolean isOf(ContextHead head) {
    int row = (int) head.id().value();
    return (flags.get(row) & PRESENT) != 0 && wide(heads, row) == fingerprint(head);
  }

  /// The first own turn from which a row was read, if the description is still the one from which
  /// the row was read; otherwise [TurnId#NONE].
  TurnId source(ContextHead head) {
    int row = (int) head.id().value();
    boolean same =
        (flags.get(row) & (PRESENT | OWN)) == (PRESENT | OWN)
            && wide(abouts, row) == fingerprint(head.about());
    return same ? source(row) : TurnId.NONE;
  }

  TurnId source(int row) {
    return new TurnId(wide(sources, row));
  }

  /// Drops the rows that may have been read from a turn.
  void drop(TurnId turn) {
    for (int row = 1; row <= greatest; row++) {
      if ((flags.get(row) & INHERITED) != 0 || wide(sources, row) == turn.value()) {
        setFlags(row, 0);
      }
    }
  }

  // ---- files

  /// The size of a row in a file.
  static final int ROW_BYTES = 84;

  /// Returns whether a row may be kept in a file that has only the first texts and lists.
  boolean isKept(int row, int textCount, int listCount) {
    boolean kept = (flags.get(row) & (KEPT | ODD)) == KEPT && labels.get(row) <= listCount;
    for (int i = 0; kept && i < WORDS.size(); i++) {
      kept = narrow.get(i).get(row) <= textCount;
    }
    return kept;
  }

  /// Writes a row, as in the page `docs/format/contexts-rows.md`.
  void write(int row, ByteBuffer out) {
    out.putInt(row).putInt(flags.get(row));
    for (IntColumn column : narrow) {
      out.putInt(column.get(row));
    }
    for (IntColumn[] halves : List.of(created, abouts, sources, heads)) {
      out.putLong(wide(halves, row));
    }
  }

  /// Reads a row behind all rows that were read before.
  ///
  /// @return whether the bytes are a row that these columns can have
  boolean read(ByteBuffer in) {
    int row = in.getInt();
    int said = in.getInt();
    if (row <= greatest
        || !hasRow(row)
        || (said & KEPT) != KEPT
        || (said & ~(KEPT | KEPT_TOO)) != 0) {
      return false;
    }
    for (int i = 0; i < narrow.size(); i++) {
      int value = in.getInt();
      if (value < 0 || value > most(i)) {
        return false;
      }
      if (value != 0) {
        narrow.get(i).set(row, value);
      }
    }
    for (IntColumn[] halves : List.of(created, abouts, sources, heads)) {
      long value = in.getLong();
      if (value != 0) {
        setWide(halves, row, value);
      }
    }
    setFlags(row, said);
    return true;
  }

  /// The greatest number in a column of four bytes.
  private int most(int column) {
    if (column < WORDS.size()) {
      return texts.count();
    }
    IntColumn found = narrow.get(column);
    return found == labels ? lists.count() : found == depths ? Integer.MAX_VALUE : NUMBER_MAX;
  }

  // ---- columns

  TextPool texts() {
    return texts;
  }

  TextPool lists() {
    return lists;
  }

  IntColumn words(TextField field) {
    return Objects.requireNonNull(words.get(field));
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

  /// The parent for the lineage: the declared one, otherwise the one that the context was forked
  /// from; 0 for none.
  int parent(int row) {
    return parents.get(row) == 0 ? forkedFrom.get(row) : parents.get(row);
  }

  /// The memory of the columns and the texts.
  long weightBytes() {
    long columns = 0;
    for (IntColumn each : List.of(flags, labels, parents, roots, forkedFrom, depths)) {
      columns += each.weightBytes();
    }
    for (IntColumn each : words.values()) {
      columns += each.weightBytes();
    }
    for (IntColumn[] several : List.of(created, abouts, sources, heads)) {
      for (IntColumn each : several) {
        columns += each.weightBytes();
      }
    }
    return columns + texts.weightBytes() + lists.weightBytes();
  }
}
