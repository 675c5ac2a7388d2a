// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U64;

import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.hash.Blake3;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The turns: `turns.log`, `turns.meta` beside it, and `turns.idx`, which says where each number
/// stands.
public final class TurnLog {

  public static final String LOG = "turns.log";
  public static final String META = "turns.meta";
  public static final String INDEX = "turns.idx";

  private static final System.Logger LOGGER = System.getLogger("dev.varve.turn");

  private final Disk disk;
  private final AppendFile log;
  private final AppendFile meta;
  private final long storeId;
  private volatile TurnRuns.View runs = TurnRuns.View.EMPTY;
  private int runsOnDisk;
  private volatile long forcedCount;

  /// @param log opened with its logical end; so is `meta`
  /// @param storeId the store's id in 64 bits
  public TurnLog(Disk disk, AppendFile log, AppendFile meta, long storeId) {
    this.storeId = storeId;
    this.disk = disk;
    this.log = log;
    this.meta = meta;
  }

  /// Takes up the first `count` records: reads `turns.idx`, verifies it against the log, and
  /// rebuilds it if it does not hold.
  ///
  /// @param remade level of the entry in the log if `turns.idx` does not hold
  /// @return whether it held
  public boolean open(long count, System.Logger.Level remade) {
    TurnRuns.View found = readIndex(count);
    boolean held = holds(found);
    if (!held) {
      LOGGER.log(
          count == 0 ? System.Logger.Level.DEBUG : remade, "{0}: rebuilt from {1}", INDEX, LOG);
      found = scan(count);
      runsOnDisk = 0;
    }
    runs = found;
    return held || count == 0;
  }

  public long count() {
    return runs.count();
  }

  /// The number of turns that surely survive a power cut.
  long forcedCount() {
    return forcedCount;
  }

  /// Notes that the first `forced` turns survive a power cut. No table that is made again gives up
  /// a turn for a later one that may be lost.
  public void noteForced(long forced) {
    forcedCount = Math.max(forcedCount, forced);
  }

  /// The number of the newest turn, 0 if there is none.
  public long lastId() {
    return runs.lastId();
  }

  /// The ordinal of a published turn, or -1 if there is no such turn.
  public long ordinal(long turnId) {
    return runs.ordinal(turnId);
  }

  public long id(long ordinal) {
    return runs.id(ordinal);
  }

  /// The record at an ordinal.
  ///
  /// @throws StoreException.Corrupt if it is damaged, or another one than its meta was written with
  public TurnRecord record(long ordinal) {
    long offset = ordinal * TurnRecord.SIZE_BYTES;
    MemorySegment bytes = log.at(offset, TurnRecord.SIZE_BYTES);
    TurnRecord record = TurnRecord.read(bytes, LOG, offset);
    requireId(record.turnId(), ordinal, LOG, offset);
    long beside = ordinal * TurnMeta.SIZE_BYTES;
    if (beside + TurnMeta.SIZE_BYTES <= meta.readableBytes()
        && TurnMeta.denies(meta.at(beside, TurnMeta.SIZE_BYTES), storeId, TurnRecord.crc(bytes))) {
      throw new StoreException.Corrupt(
          LOG, offset, "the turn that " + META + " belongs to", "another one");
    }
    return record;
  }

  public TurnMeta meta(long ordinal) {
    long offset = ordinal * TurnMeta.SIZE_BYTES;
    TurnMeta found = TurnMeta.read(meta.at(offset, TurnMeta.SIZE_BYTES), META, offset, storeId);
    requireId(found.turnId(), ordinal, META, offset);
    return found;
  }

  /// Adds the bytes of a turn's record and meta to a hash, as they are.
  public void addTo(Blake3 hash, long ordinal) {
    hash.update(log.at(ordinal * TurnRecord.SIZE_BYTES, TurnRecord.SIZE_BYTES));
    hash.update(meta.at(ordinal * TurnMeta.SIZE_BYTES, TurnMeta.SIZE_BYTES));
  }

  private void requireId(long found, long ordinal, String file, long offset) {
    TurnRuns.View view = runs;
    if (ordinal < view.count() && found != view.id(ordinal)) {
      throw new StoreException.Corrupt(file, offset, "turn " + view.id(ordinal), "turn " + found);
    }
  }

  /// Writes records and metas from `ordinal` on. No reader sees them until [#publish].
  public void write(long ordinal, ByteBuffer records, ByteBuffer metas) {
    log.write(ordinal * TurnRecord.SIZE_BYTES, records);
    meta.write(ordinal * TurnMeta.SIZE_BYTES, metas);
  }

  /// Shows readers the turns that were written, in order.
  public void publish(long[] turnIds) {
    TurnRuns.View view = runs;
    for (long turnId : turnIds) {
      view = view.plus(turnId);
    }
    log.end(view.count() * TurnRecord.SIZE_BYTES);
    meta.end(view.count() * TurnMeta.SIZE_BYTES);
    runs = view;
  }

  /// Writes to `turns.idx` the runs that are not there yet, and forces it.
  public void saveIndex() {
    TurnRuns.View view = runs;
    if (runsOnDisk == view.runCount() && disk.exists(INDEX)) {
      return;
    }
    try (DiskFile file = disk.open(INDEX)) {
      int entryCount = view.runCount() - runsOnDisk;
      ByteBuffer bytes = ByteBuffer.allocate(entryCount * TurnRuns.ENTRY_BYTES);
      MemorySegment entries = MemorySegment.ofBuffer(bytes);
      for (int i = 0; i < entryCount; i++) {
        int run = runsOnDisk + i;
        entries.set(U64, (long) i * TurnRuns.ENTRY_BYTES, view.firstIds()[run]);
        entries.set(
            U64,
            (long) i * TurnRuns.ENTRY_BYTES + 8,
            view.firstOrdinals()[run] * TurnRecord.SIZE_BYTES);
      }
      file.resize((long) runsOnDisk * TurnRuns.ENTRY_BYTES);
      file.write((long) runsOnDisk * TurnRuns.ENTRY_BYTES, bytes);
      file.force();
    }
    runsOnDisk = view.runCount();
  }

  private TurnRuns.View readIndex(long count) {
    if (!disk.exists(INDEX)) {
      return TurnRuns.View.EMPTY;
    }
    try (DiskFile file = disk.open(INDEX)) {
      long entryCount = Math.min(file.sizeBytes() / TurnRuns.ENTRY_BYTES, count);
      if (entryCount > Integer.MAX_VALUE / TurnRuns.ENTRY_BYTES) {
        return TurnRuns.View.EMPTY;
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) entryCount * TurnRuns.ENTRY_BYTES);
      file.read(0, bytes);
      MemorySegment entries = MemorySegment.ofArray(bytes.array());
      TurnRuns.View view = TurnRuns.View.EMPTY;
      for (int i = 0; i < entryCount; i++) {
        long id = entries.get(U64, (long) i * TurnRuns.ENTRY_BYTES);
        long ordinal =
            entries.get(U64, (long) i * TurnRuns.ENTRY_BYTES + 8) / TurnRecord.SIZE_BYTES;
        if (ordinal >= count) {
          break; // newer than the log
        }
        boolean first = i == 0;
        if (id <= 0 || (first ? ordinal != 0 : ordinal < view.count())) {
          return TurnRuns.View.EMPTY;
        }
        view = first ? view : view.extendedTo(ordinal);
        if (!first && id <= view.lastId() + 1) {
          return TurnRuns.View.EMPTY; // no gap before it, so no run either
        }
        view = view.plus(id);
      }
      runsOnDisk = view.runCount();
      return view.runCount() == 0 ? view : view.extendedTo(count);
    }
  }

  /// Returns whether the runs agree with the log. Numbers rise, so a run whose first and last
  /// records have the right numbers has the right numbers throughout. A damaged record at an end
  /// proves nothing either way.
  private boolean holds(TurnRuns.View view) {
    for (int run = 0; run < view.runCount(); run++) {
      long first = view.firstOrdinals()[run];
      long last = (run + 1 < view.runCount() ? view.firstOrdinals()[run + 1] : view.count()) - 1;
      if (!agrees(view, first) || !agrees(view, last)) {
        return false;
      }
    }
    return view.runCount() > 0;
  }

  private boolean agrees(TurnRuns.View view, long ordinal) {
    long id = writtenId(log, meta, ordinal, storeId);
    return id == 0 || id == view.id(ordinal);
  }

  /// The number that stands at an ordinal: in a meta that is surely of this store, else in the
  /// record or, if that is damaged or not there, in any meta; 0 if there is none.
  private static long writtenId(AppendFile log, AppendFile meta, long ordinal, long storeId) {
    MemorySegment beside =
        (ordinal + 1) * TurnMeta.SIZE_BYTES <= meta.readableBytes()
            ? meta.at(ordinal * TurnMeta.SIZE_BYTES, TurnMeta.SIZE_BYTES)
            : null;
    if (beside != null && TurnMeta.isOwn(beside, storeId)) {
      return beside.get(U64, 0);
    }
    MemorySegment record =
        (ordinal + 1) * TurnRecord.SIZE_BYTES <= log.readableBytes()
            ? log.at(ordinal * TurnRecord.SIZE_BYTES, TurnRecord.SIZE_BYTES)
            : null;
    if (record != null && TurnRecord.valid(record)) {
      return record.get(U64, 0);
    }
    return beside != null && TurnMeta.valid(beside, storeId) ? beside.get(U64, 0) : 0;
  }

  /// Reads the numbers of all records. Where record and meta are damaged they continue the run they
  /// stand in.
  private TurnRuns.View scan(long count) {
    TurnRuns.View view = TurnRuns.View.EMPTY;
    for (long ordinal = 0; ordinal < count; ordinal++) {
      view = view.plus(Math.max(writtenId(log, meta, ordinal, storeId), view.lastId() + 1));
    }
    return view;
  }

  /// The number of turns if the ends of the files are not known: up to the last turn with a valid
  /// record or a valid meta.
  public static long countByScan(AppendFile log, AppendFile meta, long storeId) {
    long count =
        Math.max(log.endBytes() / TurnRecord.SIZE_BYTES, meta.endBytes() / TurnMeta.SIZE_BYTES);
    while (count > 0 && writtenId(log, meta, count - 1, storeId) == 0) {
      count--;
    }
    return count;
  }

  /// The number of the last of `count` turns, or more.
  public static long lastIdByScan(AppendFile log, AppendFile meta, long count, long storeId) {
    return count == 0 ? 0 : writtenId(log, meta, count - 1, storeId);
  }
}
