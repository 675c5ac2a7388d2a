// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Derives heads again from `heads.log`, which says how each context began and was described, and
/// `turns.meta`, which says through which context each turn was appended.
///
/// A record of `heads.log` holds the head as it was when the record was made, and the turn number
/// that was next then. So the head of a context is the last turn appended through it from that
/// number on, or else the record's own.
public final class HeadRebuild {

  public static final String LOG = "heads.log";

  private final AppendFile log;
  private final TurnLog turns;
  private final long storeId;

  /// @param storeId the store's id in 64 bits
  public HeadRebuild(AppendFile log, TurnLog turns, long storeId) {
    this.storeId = storeId;
    this.log = log;
    this.turns = turns;
  }

  /// All heads. Holds one record a context in memory while it works.
  ///
  /// If a record of the log is damaged, the context that it began is still known by the turns
  /// appended through it.
  public void all(Consumer<HeadRecord> each) {
    Map<Long, HeadRecord> heads = new HashMap<>();
    boolean whole = eachLogged(record -> heads.put(record.contextId(), record));
    follow(heads, whole);
    heads.values().forEach(each);
  }

  /// Hands over the context number of each record.
  ///
  /// @return whether all records are whole
  boolean eachContext(LongConsumer each) {
    return eachLogged(record -> each.accept(record.contextId()));
  }

  private boolean eachLogged(Consumer<HeadRecord> each) {
    long count = log.endBytes() / HeadRecord.SIZE_BYTES;
    PassedOver damages = new PassedOver();
    for (long i = 0; i < count; i++) {
      long offset = i * HeadRecord.SIZE_BYTES;
      Optional<HeadRecord> record =
          HeadRecord.read(log.at(offset, HeadRecord.SIZE_BYTES), 0, storeId);
      if (record.isPresent()) {
        each.accept(record.get());
      } else {
        damages.add(LOG + " at byte " + offset + ": no record of this store, left out");
      }
    }
    damages.end(LOG);
    return damages.isEmpty();
  }

  private void follow(Map<Long, HeadRecord> heads, boolean whole) {
    long count = turns.count();
    PassedOver damages = new PassedOver();
    for (long ordinal = 0; ordinal < count; ordinal++) {
      try {
        TurnMeta meta = turns.meta(ordinal);
        HeadRecord head = heads.get(meta.contextId());
        if (head == null && meta.movedHead() && !whole) {
          heads.put(meta.contextId(), begunBy(turns.record(ordinal), meta));
        } else if (head != null && meta.movedHead() && meta.turnId() >= head.atTurnId()) {
          TurnRecord turn = turns.record(ordinal);
          heads.put(
              meta.contextId(), head.moved(turn.turnId(), turn.depth(), turn.createdAtUnixMs()));
        }
      } catch (StoreException.Corrupt e) {
        damages.add(
            String.valueOf(
                e.getMessage())); // one damaged turn must not cost every context its head
      }
    }
    damages.end(TurnLog.META);
  }

  /// The remains of a context whose beginning is lost.
  private static HeadRecord begunBy(TurnRecord turn, TurnMeta meta) {
    return new HeadRecord(
        meta.contextId(),
        turn.turnId(),
        turn.depth(),
        turn.createdAtUnixMs(),
        turn.parentTurnId(),
        turn.createdAtUnixMs(),
        null,
        turn.turnId() + 1);
  }
}
