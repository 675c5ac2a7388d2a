// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Derives heads again from `heads.log`, which says how each context began and was described, and `turns.meta`, which says
/// through which context each turn was appended.
///
/// A record of `heads.log` holds the head as it was when the record was made, and the turn number that was next then. So
/// the head of a context is the last turn appended through it from that number on, or else the record's own.
public final class HeadRebuild {

  public static final String LOG = "heads.log";

  private final AppendFile log;
  private final TurnLog turns;

  public HeadRebuild(AppendFile log, TurnLog turns) {
    this.log = log;
    this.turns = turns;
  }

  /// All heads. Holds one record a context in memory while it works.
  public void all(Consumer<HeadRecord> each) {
    Map<Long, HeadRecord> heads = new HashMap<>();
    eachLogged(record -> heads.put(record.contextId(), record));
    follow(heads);
    heads.values().forEach(each);
  }

  private void eachLogged(Consumer<HeadRecord> each) {
    long count = log.endBytes() / HeadRecord.SIZE_BYTES;
    for (long i = 0; i < count; i++) {
      long offset = i * HeadRecord.SIZE_BYTES;
      Optional<HeadRecord> record =
          HeadRecord.read(log.at(offset, HeadRecord.SIZE_BYTES), 0);
      if (record.isPresent()) {
        each.accept(record.get());
      } else {
        warn(LOG, offset);
      }
    }
  }

  private void follow(Map<Long, HeadRecord> heads) {
    long count = turns.count();
    for (long ordinal = 0; ordinal < count; ordinal++) {
      try {
        TurnMeta meta = turns.meta(ordinal);
        HeadRecord head = heads.get(meta.contextId());
        if (head != null && meta.movedHead() && meta.turnId() >= head.atTurnId()) {
          TurnRecord turn = turns.record(ordinal);
          heads.put(
              meta.contextId(), head.moved(turn.turnId(), turn.depth(), turn.createdAtUnixMs()));
        }
      } catch (StoreException.Corrupt e) {
        warn(e.file(), e.offset()); // one damaged turn must not cost every context its head
      }
    }
  }

  private static void warn(String file, long offset) {
    System.getLogger("dev.varve.turn")
        .log(
            System.Logger.Level.WARNING,
            "{0} at byte {1}: damaged record left out while heads were derived",
            file,
            offset);
  }
}
