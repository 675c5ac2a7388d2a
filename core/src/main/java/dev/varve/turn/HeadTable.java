// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The heads of all contexts: the file `heads.tbl`, and in memory the heads that are newer than the
/// file.
///
/// Slot `n` of the file belongs to context `n`; slot 0 is a header. The file is derived: it can be
/// rebuilt from `heads.log` and `turns.meta` (see [HeadRebuild]). The file changes only at
/// checkpoints, in three steps: [#freeze] sets the newer heads aside, [#save] writes these heads
/// into the slots and forces the slots, [#thaw] forgets them. A reader therefore looks first among
/// the newest heads, then among the frozen heads, then in the file.
///
/// Page: `docs/format/heads-tbl.md`.
public final class HeadTable {

  public static final String FILE = "heads.tbl";

  /// Slot 0.
  static final StructLayout HEADER =
      MemoryLayout.structLayout(
          U32.withName("magic"),
          U32.withName("version"),
          U64.withName("store_id"),
          U64.withName("checkpoint_seq"),
          U64.withName("turns"),
          U64.withName("head_log_records"),
          LittleEndian.bytes(84, "reserved"),
          U32.withName("crc32"));

  /// First four bytes of the header: `VHDT`.
  static final int MAGIC = 0x54444856;

  static final int VERSION = 1;

  /// The bound for numbers that an import gives to contexts: slots stand at their numbers, and a
  /// list of contexts reads each slot.
  public static final long CONTEXT_ID_MAX = 1L << 26;

  private final AppendFile file;
  private final long storeId;
  private volatile NewerHeads newer = new NewerHeads(new ConcurrentHashMap<>(), Map.of());
  private volatile long maxId;
  private final HeadZones zones = new HeadZones();
  private volatile @Nullable HeadRebuild rebuild;

  /// True once every slot of zeros was found to belong to a context that never existed.
  private volatile boolean gapsKnown;

  /// The heads that are newer than the file. A reader takes both maps at one moment, so that a head
  /// that is being set aside is in one of them.
  ///
  /// @param recent grows with each commit
  /// @param frozen the heads that a checkpoint writes
  private record NewerHeads(Map<Long, HeadRecord> recent, Map<Long, HeadRecord> frozen) {

    @Nullable HeadRecord find(long contextId) {
      HeadRecord head = recent.get(contextId);
      return head == null ? frozen.get(contextId) : head;
    }
  }

  /// @param file opened with its logical end
  /// @param storeId the store's id in 64 bits
  public HeadTable(AppendFile file, long storeId) {
    this.file = file;
    this.storeId = storeId;
    this.maxId = Math.max(0, file.endBytes() / HeadRecord.SIZE_BYTES - 1);
  }

  /// Sets the source from which damaged slots are derived.
  public void repairThrough(HeadRebuild source) {
    rebuild = source;
  }

  /// Returns whether the file is this store's, not older than checkpoint `seq`, and not newer than
  /// the logs that heads are derived from.
  ///
  /// @param slots the number of slots at that checkpoint
  /// @param turns the number of turns; `headLogRecords` is the number of records of `heads.log`
  public boolean holds(long seq, long slots, long turns, long headLogRecords) {
    if (file.endBytes() < HeadRecord.SIZE_BYTES * Math.max(1, slots)) {
      return false;
    }
    MemorySegment header = file.at(0, HeadRecord.SIZE_BYTES);
    return header.get(U32, 0) == MAGIC
        && header.get(U32, 4) == VERSION
        && header.get(U64, 8) == storeId
        && Long.compareUnsigned(header.get(U64, 16), seq) >= 0
        && header.get(U64, 24) <= turns
        && header.get(U64, 32) <= headLogRecords
        && header.get(U32, 124) == LittleEndian.crc32(header, 0, 124);
  }

  /// The id of the store that a file's header names; 0 if there is no valid header.
  public static long storeId(AppendFile file) {
    if (file.endBytes() < HeadRecord.SIZE_BYTES) {
      return 0;
    }
    MemorySegment header = file.at(0, HeadRecord.SIZE_BYTES);
    boolean whole =
        header.get(U32, 0) == MAGIC && header.get(U32, 124) == LittleEndian.crc32(header, 0, 124);
    return whole ? header.get(U64, 8) : 0;
  }

  /// The logs from which a table was made: how many turns they had, and how many records of
  /// `heads.log`. Both were forced before the table said so.
  public record Sources(long turns, long headLogRecords) {}

  /// The sources that the header of a file names; none if there is no valid header of this store.
  public static Sources sources(AppendFile file, long storeId) {
    if (storeId(file) != storeId) {
      return new Sources(0, 0);
    }
    MemorySegment header = file.at(0, HeadRecord.SIZE_BYTES);
    return new Sources(header.get(U64, 24), header.get(U64, 32));
  }

  /// Forgets everything, so that heads can be put anew.
  public void clear() {
    file.end(0);
    file.truncateToEnd();
    newer.recent().clear();
    maxId = 0;
    zones.clear();
  }

  /// The greatest number that a context ever had.
  public long maxId() {
    return maxId;
  }

  /// The head of a context, or empty if there is no such context.
  ///
  /// @throws StoreException.Corrupt if the slot of the context is damaged and cannot be derived
  public Optional<HeadRecord> find(long contextId) {
    if (contextId <= 0 || contextId > maxId) {
      return Optional.empty();
    }
    // A slot may be read while a checkpoint writes it. What it writes stays among the frozen until
    // the slot is whole, so a second look finds it; a slot that stays damaged is damaged.
    for (int attempt = 0; attempt < 3; attempt++) {
      HeadRecord head = newer.find(contextId);
      if (head != null) {
        return Optional.of(head);
      }
      long offset = contextId * HeadRecord.SIZE_BYTES;
      if (offset + HeadRecord.SIZE_BYTES > file.endBytes()) {
        return Optional.empty();
      }
      MemorySegment slot = file.at(offset, HeadRecord.SIZE_BYTES);
      if (gapsKnown && slot.get(U64, 0) == 0 && isZero(slot)) {
        return Optional.empty(); // numbers that were skipped may be many
      }
      Optional<HeadRecord> read = HeadRecord.read(slot, 0, storeId);
      if (read.isPresent() && read.get().contextId() == contextId) {
        return read;
      }
    }
    return repair(contextId);
  }

  private static boolean isZero(MemorySegment slot) {
    for (long i = 0; i < slot.byteSize(); i += 8) {
      if (slot.get(U64, i) != 0) {
        return false;
      }
    }
    return true;
  }

  /// Derives the heads of all lost slots: one reading of the logs repairs all slots that a torn
  /// write of a block destroyed.
  ///
  /// A slot of zeros may be a destroyed slot, or belong to a skipped number; the log shows which.
  private synchronized Optional<HeadRecord> repair(long contextId) {
    HeadRebuild source = rebuild;
    if (source == null) {
      throw new StoreException.Corrupt(
          FILE, contextId * HeadRecord.SIZE_BYTES, "context " + contextId, "a damaged slot");
    }
    if (isLost(contextId)) {
      boolean[] lost = {false};
      boolean whole = source.eachContext(id -> lost[0] |= isLost(id));
      if (lost[0] || !whole) {
        System.getLogger("dev.varve.turn")
            .log(
                System.Logger.Level.WARNING,
                "{0} at byte {1}: damaged slots derived again from {2}",
                FILE,
                contextId * HeadRecord.SIZE_BYTES,
                HeadRebuild.LOG);
        source.all(
            head -> {
              if (isLost(head.contextId())) {
                newer.recent().putIfAbsent(head.contextId(), head);
              }
            });
      }
      gapsKnown = true;
    }
    return Optional.ofNullable(newer.find(contextId));
  }

  /// Returns whether a context has neither a slot nor a newer head.
  private boolean isLost(long contextId) {
    long offset = contextId * HeadRecord.SIZE_BYTES;
    return newer.find(contextId) == null
        && (offset + HeadRecord.SIZE_BYTES > file.endBytes()
            || HeadRecord.read(file.at(offset, HeadRecord.SIZE_BYTES), 0, storeId)
                .filter(head -> head.contextId() == contextId)
                .isEmpty());
  }

  /// Shows readers a new head.
  public void put(HeadRecord head) {
    newer.recent().put(head.contextId(), head);
    if (head.contextId() > maxId) {
      maxId = head.contextId();
    }
    zones.note(head.contextId(), head.activeAtUnixMs());
  }

  /// A range of consecutive context numbers, of which some exist.
  ///
  /// @param activeAtUnixMs no context of the zone was active later
  public record Zone(long firstId, long lastId, long activeAtUnixMs) {}

  /// All zones that have contexts, by their numbers. The first call reads every head; later calls
  /// read none.
  ///
  /// @throws StoreException.Corrupt if a slot is damaged and cannot be derived
  public List<Zone> zones() {
    return zones.all(
        this::maxId, id -> find(id).map(HeadRecord::activeAtUnixMs).orElse(HeadZones.NONE));
  }

  /// The number of heads that are newer than the file.
  public int recentCount() {
    return newer.recent().size();
  }

  /// Sets the heads aside that are newer than the file, for [#save]. Called by the writing thread.
  public synchronized void freeze() {
    newer = new NewerHeads(new ConcurrentHashMap<>(), newer.recent());
  }

  /// Writes a header that names checkpoint `seq`, then the frozen heads, and forces the file. The
  /// checkpoint is made only after that; a file whose header names the checkpoint therefore has all
  /// slots.
  ///
  /// @param turns the number of turns to which the heads may lead; `headLogRecords` is the number
  ///   of records of `heads.log` that the heads include
  public void save(long seq, long turns, long headLogRecords) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(HeadRecord.SIZE_BYTES);
      slot.set(U32, 0, MAGIC);
      slot.set(U32, 4, VERSION);
      slot.set(U64, 8, storeId);
      slot.set(U64, 16, seq);
      slot.set(U64, 24, turns);
      slot.set(U64, 32, headLogRecords);
      slot.set(U32, 124, LittleEndian.crc32(slot, 0, 124));
      file.write(0, slot.asByteBuffer());
      file.force(); // before the slots: none may ever lead further than the header says
      long end = Math.max(file.endBytes(), HeadRecord.SIZE_BYTES);
      for (HeadRecord head : new TreeMap<>(newer.frozen()).values()) {
        long offset = head.contextId() * HeadRecord.SIZE_BYTES;
        head.write(slot, 0, storeId);
        file.write(offset, slot.asByteBuffer());
        end = Math.max(end, offset + HeadRecord.SIZE_BYTES);
      }
      file.end(end);
      file.force();
    }
  }

  /// Forgets the heads that [#save] wrote.
  public synchronized void thaw() {
    newer = new NewerHeads(newer.recent(), Map.of());
  }
}
