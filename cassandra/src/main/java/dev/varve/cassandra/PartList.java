// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The table `part_list`: the partitions that a table has, of tables that are read from their end.
final class PartList {

  /// The tables that are listed; the names are part of the format.
  enum Kind {
    TURN("turn"),
    CONTEXT("context"),
    HOUR("hour"),
    OVERLAY("overlay");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  private record Part(Kind kind, long number) {}

  private static final String INSERT =
      "INSERT INTO ks.part_list (store, kind, part) VALUES (?, ?, ?)";
  private static final String DOWN =
      "SELECT part FROM ks.part_list WHERE store = ? AND kind = ? AND part <= ? LIMIT ?";
  private static final String UP =
      "SELECT part FROM ks.part_list WHERE store = ? AND kind = ? AND part >= ?"
          + " ORDER BY part ASC LIMIT ?";

  private final ClusterSession session;
  private final Set<Part> known = ConcurrentHashMap.newKeySet();

  PartList(ClusterSession session) {
    this.session = session;
  }

  /// Lists a part, durably, before something is written into the part.
  void require(Kind kind, long part) {
    Part listed = new Part(kind, part);
    if (!known.contains(listed)) {
      session.write(CqlStatement.of(INSERT, kind.word, part));
      known.add(listed);
    }
  }

  /// The greatest parts that are not above a number, falling.
  List<Long> down(Kind kind, long from, int limit) {
    return parts(CqlStatement.of(DOWN, kind.word, from, limit));
  }

  /// The smallest parts that are not below a number, rising.
  List<Long> up(Kind kind, long from, int limit) {
    return parts(CqlStatement.of(UP, kind.word, from, limit));
  }

  private List<Long> parts(CqlStatement statement) {
    return session.read(statement).stream().map(row -> row.getLong(0)).toList();
  }
}
