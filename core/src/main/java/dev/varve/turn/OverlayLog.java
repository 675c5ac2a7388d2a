// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U64;

import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.hash.Blake3;
import dev.varve.index.EntrySink;
import dev.varve.index.EntrySource;
import dev.varve.index.FingerprintTable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Later words about turns: `overlays.log`, and `overlays.map`, which finds a turn's newest one.
public final class OverlayLog implements EntrySource {

  public static final String FILE = "overlays.log";
  public static final String MAP = "overlays.map";

  private final AppendFile log;
  private final long storeId;
  private volatile long count;
  private volatile long forcedCount;
  private @Nullable FingerprintTable newest;

  /// @param log opened with its logical end
  /// @param storeId the store's id in 64 bits
  public OverlayLog(AppendFile log, long storeId) {
    this.log = log;
    this.storeId = storeId;
    this.count = log.endBytes() / OverlayRecord.SIZE_BYTES;
  }

  /// Sets the table that finds a turn's newest overlay.
  public void findThrough(FingerprintTable table) {
    newest = table;
  }

  @Override
  public long count() {
    return count;
  }

  /// The overlay with this sequence, which is from 1 to [#count].
  public OverlayRecord record(long seq) {
    long offset = (seq - 1) * OverlayRecord.SIZE_BYTES;
    return OverlayRecord.read(log.at(offset, OverlayRecord.SIZE_BYTES), FILE, offset, storeId);
  }

  /// Adds the bytes of the first overlays to a hash, as they are.
  public void addTo(Blake3 hash, long overlays) {
    for (long seq = 1; seq <= overlays; seq++) {
      hash.update(bytes(seq));
    }
  }

  /// The sequence of a turn's newest overlay, 0 if it has none.
  public long newestSeq(long turnId) {
    if (count == 0 || newest == null) {
      return 0;
    }
    return Math.max(0, newest.findLast(fingerprint(turnId), seq -> isOf(seq, turnId)));
  }

  /// Returns whether an overlay is of this turn. A damaged one is, if the table leads there: the
  /// table's fingerprints differ for different turns.
  private boolean isOf(long seq, long turnId) {
    if (seq < 1 || seq > count) {
      return false;
    }
    MemorySegment bytes = bytes(seq);
    return !OverlayRecord.valid(bytes, storeId) || bytes.get(U64, 0) == turnId;
  }

  private boolean isValid(long seq) {
    return OverlayRecord.valid(bytes(seq), storeId);
  }

  private MemorySegment bytes(long seq) {
    return log.at((seq - 1) * OverlayRecord.SIZE_BYTES, OverlayRecord.SIZE_BYTES);
  }

  /// The newest overlay of a turn up to `seqMax` that `wanted` accepts, or null.
  ///
  /// @throws StoreException.Corrupt if one that would have to be asked is damaged
  public @Nullable OverlayRecord find(long turnId, long seqMax, Predicate<OverlayRecord> wanted) {
    long seq = newestSeq(turnId);
    while (seq > 0) {
      if (seq > seqMax && !isValid(seq)) {
        seq = before(seq, turnId);
        continue;
      }
      OverlayRecord record = record(seq);
      if (seq <= seqMax && wanted.test(record)) {
        return record;
      }
      if (record.previousSeq() >= seq) {
        throw new StoreException.Corrupt(
            FILE,
            (seq - 1) * OverlayRecord.SIZE_BYTES,
            "an overlay behind an earlier one",
            "overlay " + seq + " behind overlay " + record.previousSeq());
      }
      seq = record.previousSeq();
    }
    return null;
  }

  /// The turn's overlay before a damaged one, found by reading the log backwards; 0 if none.
  private long before(long damagedSeq, long turnId) {
    long seq = damagedSeq - 1;
    while (seq > 0 && !(isValid(seq) && bytes(seq).get(U64, 0) == turnId)) {
      seq--;
    }
    return seq;
  }

  public void write(long firstSeq, ByteBuffer records) {
    log.write((firstSeq - 1) * OverlayRecord.SIZE_BYTES, records);
  }

  /// Shows readers the overlays up to `newCount`.
  public void publish(long newCount) {
    log.end(newCount * OverlayRecord.SIZE_BYTES);
    count = newCount;
  }

  /// Notes that the overlays up to `forced` survive a power cut. Until then, no table that is made
  /// again from [#entries] gives up the overlay before.
  public void noteForced(long forced) {
    forcedCount = Math.max(forcedCount, forced);
  }

  /// Enters a published overlay into the table.
  ///
  /// @param forced whether the overlay survives a power cut; if not, the one before it must stay
  ///   findable
  public void index(OverlayRecord record, boolean forced) {
    if (newest != null) {
      newest.put(
          fingerprint(record.targetTurnId()),
          record.seq(),
          seq -> forced && isOf(seq, record.targetTurnId()));
    }
  }

  @Override
  public void entries(long from, EntrySink sink) {
    PassedOver damages = new PassedOver();
    for (long next = from + 1; next <= count; next++) {
      long seq = next;
      MemorySegment bytes = bytes(seq);
      if (!OverlayRecord.valid(bytes, storeId)) {
        damages.add(FILE + " at byte " + (seq - 1) * OverlayRecord.SIZE_BYTES + ": damaged");
      }
      long target =
          bytes.get(U64, 0); // of a damaged one most likely still right: its turn shall notice
      sink.put(fingerprint(target), seq, other -> seq <= forcedCount && isOf(other, target));
    }
    damages.end(FILE);
  }

  /// Spreads a number over 64 bits (the finalizer of MurmurHash3, a bijection).
  public static long fingerprint(long turnId) {
    long h = turnId * 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }
}
