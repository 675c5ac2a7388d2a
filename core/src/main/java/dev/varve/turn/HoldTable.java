// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The holds of a store: `holds.tbl`, sorted by context. The file is there once a hold was placed,
/// and is replaced as a whole.
///
/// Page: `docs/format/holds-tbl.md`.
public final class HoldTable implements ContextHolds {

  public static final String FILE = "holds.tbl";

  /// The name under which the file is written before it takes its place.
  public static final String FILE_NEW = "holds.tbl.new";

  static final StructLayout HEADER =
      MemoryLayout.structLayout(
          U64.withName("magic"),
          U32.withName("version"),
          U32.withName("reserved"),
          U64.withName("store_id"),
          U64.withName("count"),
          LittleEndian.bytes(28, "reserved_2"),
          U32.withName("crc32"));

  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("context_id"),
          U64.withName("since_unix_ms"),
          U64.withName("until_unix_ms"),
          U32.withName("reason_len"),
          LittleEndian.bytes(200, "reason"),
          LittleEndian.bytes(24, "reserved"),
          U32.withName("crc32"));

  /// On the disk: `VARVEHLD`.
  static final long MAGIC = 0x444C484556524156L;

  static final int VERSION = 1;
  static final int HEADER_BYTES = 64;
  static final int ENTRY_BYTES = 256;
  private static final long REASON = 28;

  /// The store around a change of the table.
  @FunctionalInterface
  public interface StoreGuard {

    /// Carries out a change while the store stays open.
    ///
    /// @param write returns whether the table was written, so that from now on its file must be
    ///   there
    /// @throws StoreException if the store accepts no writes, or has no such context
    void change(ContextId context, BooleanSupplier write);
  }

  private final Disk disk;
  private final long storeId;
  private final InstantSource clock;
  private final StoreGuard guard;
  private final StoreException.@Nullable Corrupt damage;
  private volatile NavigableMap<ContextId, ContextHold> holds = new TreeMap<>();

  /// Reads the table of a store, if there is one. A table that is damaged knows nothing, and says
  /// so by [#damage].
  ///
  /// @param expected whether a hold was placed before, so that a missing file is a damage
  public HoldTable(
      Disk disk, long storeId, boolean expected, InstantSource clock, StoreGuard guard) {
    this.disk = disk;
    this.storeId = storeId;
    this.clock = clock;
    this.guard = guard;
    StoreException.Corrupt found = null;
    if (disk.exists(FILE)) {
      try {
        holds = read();
      } catch (StoreException.Corrupt e) {
        found = e;
      }
    } else if (expected) {
      found = corrupt(0, "the holds that were placed", "no file");
    }
    this.damage = found;
  }

  /// The damage of the file; null if the file is whole, or if there is none.
  public StoreException.@Nullable Corrupt damage() {
    return damage;
  }

  @Override
  public ContextHold hold(ContextId context, @Nullable Instant until, String reason) {
    ContextHold hold = ContextHold.placed(context, clock.instant(), until, reason);
    guard.change(context, () -> replace(context, hold, new ContextHold[1]));
    return hold;
  }

  @Override
  public Optional<ContextHold> release(ContextId context) {
    ContextHold[] former = new ContextHold[1];
    guard.change(context, () -> replace(context, null, former));
    return Optional.ofNullable(former[0]);
  }

  @Override
  public List<ContextHold> all() {
    requireWhole();
    return List.copyOf(holds.values());
  }

  /// The holds that last now.
  ///
  /// @throws StoreException.Corrupt if the table is damaged
  public List<ContextHold> lasting() {
    Instant now = clock.instant();
    return all().stream().filter(hold -> hold.lastsAt(now)).toList();
  }

  private void requireWhole() {
    if (damage != null) {
      throw damage;
    }
  }

  /// @param former receives the hold that the context had
  /// @return whether the table was written
  private synchronized boolean replace(
      ContextId context, @Nullable ContextHold hold, @Nullable ContextHold[] former) {
    requireWhole();
    NavigableMap<ContextId, ContextHold> changed = new TreeMap<>(holds);
    former[0] = hold == null ? changed.remove(context) : changed.put(context, hold);
    if (changed.size() > HOLDS_MAX) {
      throw new StoreException.TooLarge("holds", changed.size(), HOLDS_MAX);
    }
    boolean changes = hold != null || former[0] != null;
    if (changes) {
      write(changed.values());
      holds = changed;
    }
    return changes;
  }

  // ---- the file

  private NavigableMap<ContextId, ContextHold> read() {
    byte[] bytes;
    try (DiskFile file = disk.open(FILE)) {
      long sizeBytes = file.sizeBytes();
      if (sizeBytes < HEADER_BYTES || sizeBytes > HEADER_BYTES + (long) HOLDS_MAX * ENTRY_BYTES) {
        throw corrupt(0, "a table of holds", sizeBytes + " bytes");
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) sizeBytes);
      file.read(0, buffer);
      bytes = buffer.array();
    }
    MemorySegment all = MemorySegment.ofArray(bytes);
    long count = all.get(U64, 24);
    if (all.get(U64, 0) != MAGIC
        || all.get(U32, 8) != VERSION
        || all.get(U64, 16) != storeId
        || all.get(U32, HEADER_BYTES - 4) != LittleEndian.crc32(all, 0, HEADER_BYTES - 4)
        || bytes.length != HEADER_BYTES + count * ENTRY_BYTES) {
      throw corrupt(0, "a header of this store", "other bytes");
    }
    NavigableMap<ContextId, ContextHold> found = new TreeMap<>();
    for (int at = HEADER_BYTES; at < bytes.length; at += ENTRY_BYTES) {
      ContextHold hold = read(all.asSlice(at, ENTRY_BYTES), at);
      if (!found.isEmpty() && found.lastKey().compareTo(hold.context()) >= 0) {
        throw corrupt(at, "a context behind " + found.lastKey(), "context " + hold.context());
      }
      found.put(hold.context(), hold);
    }
    return found;
  }

  private static ContextHold read(MemorySegment entry, long offset) {
    int length = entry.get(U32, 24);
    if (entry.get(U32, ENTRY_BYTES - 4) != LittleEndian.crc32(entry, 0, ENTRY_BYTES - 4)
        || length < 0
        || length > ContextHold.REASON_BYTES_MAX) {
      throw corrupt(offset, "a hold", "other bytes");
    }
    byte[] reason = new byte[length];
    entry.asSlice(REASON, length).asByteBuffer().get(reason);
    long until = entry.get(U64, 16);
    try {
      return new ContextHold(
          new ContextId(entry.get(U64, 0)),
          Instant.ofEpochMilli(entry.get(U64, 8)),
          until == 0 ? null : Instant.ofEpochMilli(until),
          new String(reason, StandardCharsets.UTF_8));
    } catch (StoreException.Invalid e) {
      throw corrupt(offset, "a hold", String.valueOf(e.getMessage()));
    }
  }

  private static StoreException.Corrupt corrupt(long offset, String expected, String found) {
    return new StoreException.Corrupt(FILE, offset, expected, found);
  }

  private void write(Collection<ContextHold> sorted) {
    byte[] bytes = new byte[HEADER_BYTES + sorted.size() * ENTRY_BYTES];
    MemorySegment all = MemorySegment.ofArray(bytes);
    all.set(U64, 0, MAGIC);
    all.set(U32, 8, VERSION);
    all.set(U64, 16, storeId);
    all.set(U64, 24, sorted.size());
    all.set(U32, HEADER_BYTES - 4, LittleEndian.crc32(all, 0, HEADER_BYTES - 4));
    int at = HEADER_BYTES;
    for (ContextHold hold : sorted) {
      write(hold, all.asSlice(at, ENTRY_BYTES));
      at += ENTRY_BYTES;
    }
    disk.delete(FILE_NEW);
    try (DiskFile file = disk.open(FILE_NEW)) {
      file.write(0, ByteBuffer.wrap(bytes));
      file.force();
    }
    disk.replace(FILE_NEW, FILE);
    disk.forceNames();
  }

  private static void write(ContextHold hold, MemorySegment entry) {
    byte[] reason = hold.reason().getBytes(StandardCharsets.UTF_8);
    Instant until = hold.until();
    entry.set(U64, 0, hold.context().value());
    entry.set(U64, 8, hold.since().toEpochMilli());
    entry.set(U64, 16, until == null ? 0 : until.toEpochMilli());
    entry.set(U32, 24, reason.length);
    MemorySegment.copy(MemorySegment.ofArray(reason), 0, entry, REASON, reason.length);
    entry.set(U32, ENTRY_BYTES - 4, LittleEndian.crc32(entry, 0, ENTRY_BYTES - 4));
  }
}
