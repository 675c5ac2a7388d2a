// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.ClusterSession.Condition;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.QuietPause;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tables `claim` and `keyed`, which keep an append from being done twice. A writer claims an
/// idempotency key for the turn's number just before the head moves, so that of services that retry
/// at the same moment one goes on; once the head has moved, the key stands for the turn for good.
///
/// A claim alone does not say that the head has moved: the path of heads does ([TurnAppend]).
final class KeyRows {

  private static final String FIND = "SELECT turn_id FROM ks.keyed WHERE store = ? AND key = ?";
  private static final String KEEP = "INSERT INTO ks.keyed (store, key, turn_id) VALUES (?, ?, ?)";
  private static final String CLAIMED =
      "SELECT turn_id, earlier FROM ks.claim WHERE store = ? AND key = ?";
  private static final String CLAIM =
      "INSERT INTO ks.claim (store, key, turn_id) VALUES (?, ?, ?) IF NOT EXISTS";
  private static final String TAKE_OVER =
      "UPDATE ks.claim SET turn_id = ?, earlier = earlier + ?"
          + " WHERE store = ? AND key = ? IF turn_id = ?";

  /// The numbers for which a key was claimed. Each claim but the last was found to be of a writer
  /// that had not moved the head; the writer may have done so since.
  ///
  /// @param turn the last number; 0 if the key was never claimed
  record Claim(long turn, Set<Long> earlier) {

    List<Long> all() {
      List<Long> all = new ArrayList<>(earlier);
      if (turn != 0) {
        all.add(turn);
      }
      return all;
    }
  }

  private final ClusterSession session;

  KeyRows(ClusterSession session) {
    this.session = session;
  }

  /// The turn that a key stands for; 0 if the key stands for none yet.
  long find(BlobHash key) {
    return number(session.readOne(CqlStatement.of(FIND, key)));
  }

  /// The statement by which a key stands for a turn from now on.
  static CqlStatement keeping(BlobHash key, long turn) {
    return CqlStatement.of(KEEP, key, turn);
  }

  /// The numbers for which a key was claimed.
  Claim claim(BlobHash key) {
    Row row = session.readSerial(CqlStatement.of(CLAIMED, key));
    if (row == null) {
      return new Claim(0, Set.of());
    }
    Set<Long> earlier = row.getSet(1, Long.class);
    return new Claim(row.getLong(0), earlier == null ? Set.of() : earlier);
  }

  private static long number(@Nullable Row row) {
    return row == null ? 0 : row.getLong(0);
  }

  /// Claims a key for a number.
  ///
  /// @return false if somebody else claimed the key since `before`
  boolean take(BlobHash key, Claim before, long turn) {
    CqlStatement statement =
        before.turn() == 0
            ? CqlStatement.of(CLAIM, key, turn)
            : CqlStatement.of(TAKE_OVER, turn, Set.of(before.turn()), key, before.turn());
    QuietPause pause = session.pauses();
    while (true) {
      if (session.writeIf(statement) == Condition.HELD) {
        return true;
      }
      long now = claim(key).turn();
      if (now != before.turn()) {
        return now == turn;
      }
      pause.take();
    }
  }
}
