// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.DeclaredType;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The table `declared_type`. Several services that meet new types at the same moment may pass the
/// limit by a few.
final class TypeRows {

  private static final String LIST = "SELECT id, version FROM ks.declared_type WHERE store = ?";
  private static final String INSERT =
      "INSERT INTO ks.declared_type (store, id, version) VALUES (?, ?, ?)";

  private final ClusterSession session;
  private final int typesMax;
  private final Set<DeclaredType> known = ConcurrentHashMap.newKeySet();

  TypeRows(ClusterSession session, int typesMax) {
    this.session = session;
    this.typesMax = typesMax;
  }

  /// The statement to do before a turn of a type is written; empty if the type is known.
  ///
  /// @throws StoreException.TooLarge if the store has as many other types as a store may have
  Optional<CqlStatement> preparation(DeclaredType type) {
    if (known.contains(type)) {
      return Optional.empty();
    }
    long count = count();
    if (known.contains(type)) {
      return Optional.empty();
    }
    if (count >= typesMax) {
      throw new StoreException.TooLarge("types", count + 1, typesMax);
    }
    byte[] id = type.id().getBytes(StandardCharsets.UTF_8);
    return Optional.of(CqlStatement.of(INSERT, id, type.version()));
  }

  /// Remembers that a type was written.
  void kept(DeclaredType type) {
    known.add(type);
  }

  /// The number of types in the store.
  long count() {
    long count = 0;
    for (Row row : session.read(CqlStatement.of(LIST))) {
      ByteBuffer cell = row.getByteBuffer(0);
      String id = cell == null ? "" : StandardCharsets.UTF_8.decode(cell.duplicate()).toString();
      known.add(new DeclaredType(id, row.getInt(1)));
      count++;
    }
    return count;
  }
}
