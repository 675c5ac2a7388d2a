// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.DeclaredType;
import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.LittleEndian;
import dev.varve.hash.Blake3;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Which type tag stands for which declared type: `types.tbl`. Page: `docs/format/types-tbl.md`.
///
/// A tag is the first 8 bytes of a hash of the type; should two types meet in one, the later gets
/// the next free number. So the file is primary. Its content is in memory; the store's `Limits`
/// bound how many types there may be.
public final class TypeTable {

  public static final String FILE = "types.tbl";

  /// The fixed part of an entry. Behind it stand `id_len` bytes and a CRC-32 over everything
  /// before.
  static final StructLayout HEADER =
      MemoryLayout.structLayout(
          U64.withName("type_tag"), U32.withName("type_version"), U32.withName("id_len"));

  /// Bytes of an entry beside its id.
  static final int ENTRY_BYTES_MIN = 20;

  private final AppendFile file;
  private final Map<Long, DeclaredType> byTag = new ConcurrentHashMap<>();
  private final Map<DeclaredType, Long> byType = new ConcurrentHashMap<>();

  /// The damaged entries that [#open] skipped.
  private final List<StoreException.Corrupt> damages = new ArrayList<>();

  /// @param file opened with its logical end
  public TypeTable(AppendFile file) {
    this.file = file;
  }

  /// Reads all entries up to the file's end. What is damaged is passed over: turns keep their tags,
  /// and a tag whose entry is lost reads as an unknown one until its type is declared again, which
  /// gives it the same tag.
  public void open() {
    scan(file.endBytes());
    eachDamaged(
        damage ->
            System.getLogger("dev.varve.turn")
                .log(
                    System.Logger.Level.WARNING,
                    "{0}; passed over, types may read as unknown",
                    damage.getMessage()));
  }

  /// Where a file whose end nobody knows ends: behind its last whole entry.
  public static long endByScan(AppendFile file) {
    return new TypeTable(file).scan(file.endBytes());
  }

  /// Where the first entry stands that is not whole; `end` if there is none.
  public static long wholeUpTo(AppendFile file, long from, long end) {
    TypeTable table = new TypeTable(file);
    long offset = from;
    for (long next = from; next >= from && offset < end; ) {
      next = table.take(offset, end);
      offset = Math.max(offset, next);
    }
    return offset;
  }

  /// Remembers all whole entries before `end`.
  ///
  /// @return where the last one ends
  private long scan(long end) {
    damages.clear();
    long last = 0;
    long offset = 0;
    while (offset < end) {
      long next = take(offset, end);
      if (next > 0) {
        last = next;
        offset = next;
      } else {
        next = nextEntry(offset + 1, end);
        damages.add(
            new StoreException.Corrupt(
                FILE, offset, "whole entries", next - offset + " bytes that are none"));
        offset = next;
      }
    }
    return last;
  }

  /// Where the next whole entry starts. Entries carry no mark, but a checksum that holds is mark
  /// enough.
  private long nextEntry(long from, long end) {
    long offset = from;
    while (offset < end && take(offset, end) < 0) {
      offset++;
    }
    return offset;
  }

  /// Reports each stretch of the file that is not whole entries.
  public void eachDamaged(Consumer<StoreException.Corrupt> report) {
    damages.forEach(report);
  }

  /// Returns whether a type stands for this tag.
  public boolean isKnown(long tag) {
    return byTag.containsKey(tag);
  }

  /// Reads the entry at `offset`, remembers it, and returns where the next one starts; -1 if it is
  /// not whole.
  private long take(long offset, long end) {
    if (end - offset < ENTRY_BYTES_MIN) {
      return -1;
    }
    long idLength = Integer.toUnsignedLong(file.at(offset, 16).get(U32, 12));
    if (idLength > DeclaredType.ID_BYTES_MAX || end - offset < ENTRY_BYTES_MIN + idLength) {
      return -1;
    }
    int size = ENTRY_BYTES_MIN + (int) idLength;
    MemorySegment entry = file.at(offset, size);
    if (entry.get(U32, size - 4) != LittleEndian.crc32(entry, 0, size - 4)) {
      return -1;
    }
    byte[] id = new byte[(int) idLength];
    MemorySegment.copy(entry, 16, MemorySegment.ofArray(id), 0, idLength);
    remember(
        entry.get(U64, 0),
        new DeclaredType(new String(id, StandardCharsets.UTF_8), entry.get(U32, 8)));
    return offset + size;
  }

  /// Makes an entry visible.
  public void remember(long tag, DeclaredType type) {
    byTag.put(tag, type);
    byType.put(type, tag);
  }

  public int count() {
    return byType.size();
  }

  /// The tag of a known type, or null.
  public @Nullable Long tag(DeclaredType type) {
    return byType.get(type);
  }

  /// The type of a tag; a tag that is not in the table reads as an undeclared type of that name.
  public DeclaredType type(long tag) {
    DeclaredType type = byTag.get(tag);
    return type != null ? type : new DeclaredType("unknown-tag:" + Long.toHexString(tag), 0);
  }

  /// The number a type gets if nobody has it yet.
  public static long proposeTag(DeclaredType type) {
    byte[] id = type.id().getBytes(StandardCharsets.UTF_8);
    byte[] input = new byte[id.length + 4];
    MemorySegment target = MemorySegment.ofArray(input);
    target.set(U32, 0, type.version());
    System.arraycopy(id, 0, input, 4, id.length);
    return Blake3.hash(input).w0();
  }

  /// The bytes of an entry.
  public static void encode(long tag, DeclaredType type, ByteArrayOutputStream target) {
    byte[] id = type.id().getBytes(StandardCharsets.UTF_8);
    byte[] entry = new byte[ENTRY_BYTES_MIN + id.length];
    MemorySegment segment = MemorySegment.ofArray(entry);
    segment.set(U64, 0, tag);
    segment.set(U32, 8, type.version());
    segment.set(U32, 12, id.length);
    System.arraycopy(id, 0, entry, 16, id.length);
    segment.set(U32, entry.length - 4, LittleEndian.crc32(segment, 0, entry.length - 4));
    target.writeBytes(entry);
  }

  public void write(long offset, ByteBuffer entries) {
    file.write(offset, entries);
  }

  /// Makes what was written part of the file and of memory.
  public void publish(long end) {
    long offset = file.endBytes();
    file.end(end);
    while (offset < end) {
      long next = take(offset, end);
      if (next < 0) {
        throw new AssertionError(FILE + " at byte " + offset + ": not what was just written");
      }
      offset = next;
    }
  }

  public long endBytes() {
    return file.endBytes();
  }
}
