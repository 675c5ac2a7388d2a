// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.varve.BlobHash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement with its values in the order of the question marks, without the name of the store,
/// which the session adds. Tables are written as `ks.turn`; the session knows the keyspace.
///
/// @param timestampMicros the time that decides between two writes of a cell; null for now
public record CqlStatement(
    String cql, List<@Nullable Object> values, @Nullable Long timestampMicros) {

  public static CqlStatement of(String cql, @Nullable Object... values) {
    return new CqlStatement(cql, Arrays.asList(values), null);
  }

  public CqlStatement at(long micros) {
    return new CqlStatement(cql, values, micros);
  }

  public BoundStatement bind(PreparedStatement prepared, String store) {
    ColumnDefinitions variables = prepared.getVariableDefinitions();
    @Nullable Object[] all = new @Nullable Object[variables.size()];
    int next = 0;
    for (int i = 0; i < all.length; i++) {
      boolean isStore = variables.get(i).getName().asInternal().equals("store");
      all[i] = isStore ? store : bound(values.get(next++));
    }
    if (next != values.size()) {
      throw new IllegalArgumentException(values.size() + " values for " + cql);
    }
    BoundStatement bound = prepared.bind(all);
    return timestampMicros == null ? bound : bound.setQueryTimestamp(timestampMicros);
  }

  private static @Nullable Object bound(@Nullable Object value) {
    return switch (value) {
      case BlobHash hash -> ByteBuffer.wrap(hash.bytes());
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      case null, default -> value;
    };
  }
}
