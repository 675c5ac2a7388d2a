// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// The numbers of turns or of contexts, taken from the table `seq` in blocks.
///
/// A block has one number while little is written, and doubles while blocks are used up quickly.
/// The rest of a block is given up after a second, so that a number is seldom visible much later
/// than greater ones. A block whose outcome is unknown is given up too. So numbers are unique, are
/// never used again, and have gaps.
final class NumberBlocks {

  /// Services look about a thousand numbers below the newest for turns that became visible late; a
  /// few services at full speed stay within.
  private static final int BLOCK_MAX = 128;

  /// The bound of the numbers that contexts and turns have.
  private static final long NUMBER_MAX = (1L << 62) - 1;

  private static final long LIFETIME_NANOS = Duration.ofSeconds(1).toNanos();

  /// A block that lasts for less time is followed by a larger block.
  private static final long SHORT_NANOS = Duration.ofMillis(200).toNanos();

  private static final String READ =
      "SELECT next, restored FROM ks.seq WHERE store = ? AND name = ?";
  private static final String TAKE =
      "UPDATE ks.seq SET next = ?, restored = 0 WHERE store = ? AND name = ? IF next = ?";
  private static final String PASS =
      "UPDATE ks.seq SET next = ?, restored = ? WHERE store = ? AND name = ? IF next = ?";

  /// The place where numbers go on.
  ///
  /// @param restored the number that was taken from elsewhere last, if nothing was taken since;
  ///   else 0
  record Place(long next, long restored) {}

  private final ClusterSession session;
  private final PartList parts;
  private final PartList.Kind kind;
  private final ReentrantLock lock = new ReentrantLock();

  // ---- guarded by the lock
  private long next;
  private long end;
  private long takenNanos;
  private int size = 1;

  /// The place after the last block of this process, or 0: where numbers go on unless another
  /// service has taken some.
  private long expected;

  NumberBlocks(ClusterSession session, PartList parts, PartList.Kind kind) {
    this.session = session;
    this.parts = parts;
    this.kind = kind;
  }

  /// @throws StoreException.Invalid if a number from elsewhere cannot be a number of this store
  static void checkNumber(String what, long number) {
    if (number <= 0 || number > NUMBER_MAX) {
      throw new StoreException.Invalid(what, "expected 1 to " + NUMBER_MAX + ", found " + number);
    }
  }

  private String name() {
    return kind == PartList.Kind.TURN ? "turn" : "context";
  }

  /// A number that was never given before and is greater than another.
  long take(long above) {
    lock.lock();
    try {
      if (System.nanoTime() - takenNanos > LIFETIME_NANOS) {
        next = end;
      }
      next = Math.max(next, above + 1);
      QuietPause pause = session.pauses();
      while (next >= end) {
        takeBlock(pause);
        next = Math.max(next, above + 1);
      }
      return next++;
    } finally {
      lock.unlock();
    }
  }

  private void takeBlock(QuietPause pause) {
    long now = System.nanoTime();
    size = now - takenNanos < SHORT_NANOS ? Math.min(BLOCK_MAX, 2 * size) : 1;
    long start = expected == 0 ? place().next() : expected;
    while (session.writeIf(CqlStatement.of(TAKE, start + size, name(), start))
        != ClusterSession.Condition.HELD) {
      pause.take();
      start = place().next();
    }
    parts.require(kind, TurnRow.block(start));
    parts.require(kind, TurnRow.block(start + size - 1));
    next = start;
    end = start + size;
    expected = end;
    takenNanos = System.nanoTime();
  }

  /// Gives up the rest of the block.
  void drop() {
    lock.lock();
    try {
      next = end;
      expected = 0;
      size = 1;
    } finally {
      lock.unlock();
    }
  }

  /// The place where numbers go on now.
  Place place() {
    Row row = session.readSerial(CqlStatement.of(READ, name()));
    if (row == null) {
      throw new StoreException.Corrupt("table seq, row " + name(), 0, "a row", "none");
    }
    return new Place(row.getLong(0), row.getLong(1));
  }

  /// Makes numbers go on behind a number that was given elsewhere, if they do not yet.
  ///
  /// @return the place before, if this call moved the place for certain; else the place now, which
  ///   is behind the number
  Place passBeyond(long number) {
    QuietPause pause = session.pauses();
    Place place = place();
    while (number >= place.next()) {
      drop();
      parts.require(kind, TurnRow.block(number));
      CqlStatement passing = CqlStatement.of(PASS, number + 1, number, name(), place.next());
      if (session.writeIf(passing) == ClusterSession.Condition.HELD) {
        return place;
      }
      pause.take();
      place = place();
    }
    return place;
  }
}
