// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The tree of a session's entries, as Pi shows it.
///
/// The main line leads from a root to the last entry of the file, which is where Pi goes on. An
/// entry whose parent is missing, or whose parents go in a circle, is a root.
public final class SessionTree {

  private final SessionRecord.@Nullable Header header;
  private final EntryTable entries;
  private final Map<Integer, String> labels;
  private final String name;
  private final long damagedPieces;
  private final int[] firstChild;
  private final int[] nextSibling;
  private final int[] mainChild;
  private int firstRoot = -1;
  private int tips;

  private SessionTree(Reading reading) {
    this.header = reading.header;
    this.entries = reading.entries;
    this.labels = reading.labels();
    this.name = reading.name;
    this.damagedPieces = reading.damagedPieces;
    int count = entries.count();
    firstChild = filled(count);
    nextSibling = filled(count);
    mainChild = filled(count);
    for (int i = count - 1; i >= 0; i--) {
      int parent = entries.parent(i);
      if (parent < 0) {
        nextSibling[i] = firstRoot;
        firstRoot = i;
      } else {
        mainChild[parent] = Math.max(mainChild[parent], i);
        nextSibling[i] = firstChild[parent];
        firstChild[parent] = i;
      }
    }
    for (int at = count - 1; at >= 0 && entries.parent(at) >= 0; at = entries.parent(at)) {
      mainChild[entries.parent(at)] = at;
    }
    for (int child : firstChild) {
      tips += child < 0 ? 1 : 0;
    }
  }

  private static int[] filled(int count) {
    int[] none = new int[count];
    Arrays.fill(none, -1);
    return none;
  }

  /// Reads a file.
  ///
  /// @param progress receives, now and then, the number of bytes read
  /// @throws dev.varve.StoreException.Io if it cannot be read
  public static SessionTree read(Path file, LongConsumer progress) {
    Reading reading = new Reading();
    try (SessionReader pieces = SessionReader.open(file, progress)) {
      while (pieces.next()) {
        reading.take(pieces);
      }
    }
    reading.entries.resolve(reading.header == null || reading.header.version() == 1);
    return new SessionTree(reading);
  }

  private static final class Reading {
    private SessionRecord.@Nullable Header header;
    private final EntryTable entries = new EntryTable();
    private final Map<EntryId, String> labels = new HashMap<>();
    private String name = "";
    private long damagedPieces;

    void take(SessionReader piece) {
      switch (piece.record()) {
        case SessionRecord.Header h -> header = header == null ? h : header;
        case SessionRecord.Entry entry -> entry(entry, piece);
        case SessionRecord.Damaged _ -> damagedPieces++;
        case SessionRecord.Foreign _ -> damagedPieces++;
        case SessionRecord.Blank _ -> {}
      }
    }

    private void entry(SessionRecord.Entry entry, SessionReader piece) {
      EntryFacts facts = EntryFacts.of(entry.type(), piece.bytes(), piece.from(), piece.to());
      entries.add(
          entry.id() == null ? null : EntryId.of(entry.id()),
          entry.parentId() == null ? null : EntryId.of(entry.parentId()),
          piece.line(),
          piece.offset(),
          piece.sizeBytes(),
          facts);
      if (entry.name() != null) {
        name = entry.name();
      }
      if (facts.kind() == EntryKind.LABEL && facts.refersTo() != null) {
        EntryId target = EntryId.of(facts.refersTo());
        if (facts.label() == null || facts.label().isBlank()) {
          labels.remove(target);
        } else {
          labels.put(target, facts.label());
        }
      }
    }

    Map<Integer, String> labels() {
      Map<Integer, String> found = new HashMap<>();
      labels.forEach(
          (target, label) -> {
            int entry = entries.find(target);
            if (entry >= 0) {
              found.put(entry, label);
            }
          });
      return found;
    }
  }

  /// The first header, if there is one.
  public Optional<SessionRecord.Header> header() {
    return Optional.ofNullable(header);
  }

  public EntryTable entries() {
    return entries;
  }

  /// The name that the session was given last; empty if it has none.
  public String name() {
    return name;
  }

  /// The label that the entry has at the end of the file.
  public Optional<String> label(int entry) {
    return Optional.ofNullable(labels.get(entry));
  }

  /// The number of pieces that are neither header nor entry.
  public long damagedPieces() {
    return damagedPieces;
  }

  /// The number of entries without children: the ends of branches.
  public int tips() {
    return tips;
  }

  /// The entry after which Pi continues: the last entry; -1 if there is none.
  public int leaf() {
    return entries.count() - 1;
  }

  /// -1 if there are no entries.
  public int firstRoot() {
    return firstRoot;
  }

  /// The first child in the file's order; -1 if there is none.
  public int firstChild(int entry) {
    return firstChild[entry];
  }

  /// The next child of the same parent, or the next root; -1 if there is none.
  public int nextSibling(int entry) {
    return nextSibling[entry];
  }

  /// The child on the way to the end of the file, else the last one; -1 if there is none.
  public int mainChild(int entry) {
    return mainChild[entry];
  }

  public boolean forks(int entry) {
    return firstChild[entry] >= 0 && nextSibling[firstChild[entry]] >= 0;
  }
}
