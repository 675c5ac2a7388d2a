// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The table `former_about`: descriptions that contexts had before their present ones.
final class FormerAbouts {

  private static final String INSERT =
      "INSERT INTO ks.former_about (store, block, context_id, about) VALUES (?, ?, ?, ?)";
  private static final String OF_BLOCK =
      "SELECT context_id, about FROM ks.former_about WHERE store = ? AND block = ?";

  private final ClusterSession session;

  FormerAbouts(ClusterSession session) {
    this.session = session;
  }

  /// The statement to do before a description is replaced; none if there is no other.
  static List<CqlStatement> remembering(ContextHead head, @Nullable BlobHash next) {
    BlobHash former = head.about();
    if (former == null || former.equals(next)) {
      return List.of();
    }
    long context = head.id().value();
    return List.of(CqlStatement.of(INSERT, TurnRow.block(context), context, former));
  }

  /// Hands over the former descriptions of a block of contexts.
  void each(long block, BiConsumer<ContextId, BlobHash> visitor) {
    for (Row row : session.read(CqlStatement.of(OF_BLOCK, block))) {
      visitor.accept(new ContextId(row.getLong(0)), BlobList.hash(row.getByteBuffer(1)));
    }
  }
}
