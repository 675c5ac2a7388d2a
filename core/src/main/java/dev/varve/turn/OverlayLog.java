// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.disk.AppendFile;
import dev.varve.index.FingerprintTable;
import java.nio.ByteBuffer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Later words about turns: `overlays.log`, and `overlays.map`, which finds a turn's newest one.
public final class OverlayLog {

  public static final String FILE = "overlays.log";
  public static final String MAP = "overlays.map";

  private final AppendFile log;
  private volatile long count;
  private @Nullable FingerprintTable newest;

  /// @param log opened with its logical end
  public OverlayLog(AppendFile log) {
    this.log = log;
    this.count = log.endBytes() / OverlayRecord.SIZE_BYTES;
  }

  /// Sets the table that finds a turn's newest overlay.
  public void findThrough(FingerprintTable table) {
    newest = table;
  }

  public long count() {
    return count;
  }

  /// The overlay with this sequence, which is from 1 to [#count].
  public OverlayRecord record(long seq) {
    long offset = (seq - 1) * OverlayRecord.SIZE_BYTES;
    return OverlayRecord.read(log.at(offset, OverlayRecord.SIZE_BYTES), FILE, offset);
  }

  /// The sequence of a turn's newest overlay, 0 if it has none.
  public long newestSeq(long turnId) {
    if (count == 0 || newest == null) {
      return 0;
    }
    return Math.max(0, newest.find(fingerprint(turnId), seq -> isOf(seq, turnId)));
  }

  private boolean isOf(long seq, long turnId) {
    return seq >= 1 && seq <= count && record(seq).targetTurnId() == turnId;
  }

  /// The newest overlay of a turn that `wanted` accepts, or null.
  public @Nullable OverlayRecord find(long turnId, Predicate<OverlayRecord> wanted) {
    long seq = newestSeq(turnId);
    while (seq > 0) {
      OverlayRecord record = record(seq);
      if (wanted.test(record)) {
        return record;
      }
      if (record.previousSeq() >= seq) {
        throw new AssertionError("overlay " + seq + " follows overlay " + record.previousSeq());
      }
      seq = record.previousSeq();
    }
    return null;
  }

  public void write(long firstSeq, ByteBuffer records) {
    log.write((firstSeq - 1) * OverlayRecord.SIZE_BYTES, records);
  }

  /// Shows readers the overlays up to `newCount`.
  public void publish(long newCount) {
    log.end(newCount * OverlayRecord.SIZE_BYTES);
    count = newCount;
  }

  /// Enters a published overlay into the table.
  public void index(OverlayRecord record) {
    if (newest != null) {
      newest.put(
          fingerprint(record.targetTurnId()), record.seq(), seq -> isOf(seq, record.targetTurnId()));
    }
  }

  /// Spreads a number over 64 bits (the finalizer of MurmurHash3, a bijection).
  public static long fingerprint(long turnId) {
    long h = turnId * 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }
}
