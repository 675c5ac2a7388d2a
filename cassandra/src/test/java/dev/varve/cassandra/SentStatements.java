// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Notes the statements that were sent to a node and answered. The driver makes one for each of its
/// sessions, as `application.conf` says.
public final class SentStatements implements RequestTracker {

  private static final List<BoundStatement> SENT = Collections.synchronizedList(new ArrayList<>());

  public SentStatements(DriverContext context) {}

  /// The statements since the last call.
  static List<BoundStatement> take() {
    synchronized (SENT) {
      List<BoundStatement> sent = List.copyOf(SENT);
      SENT.clear();
      return sent;
    }
  }

  @Override
  public void onNodeSuccess(
      Request request, long nanos, DriverExecutionProfile profile, Node node, String prefix) {
    if (request instanceof BoundStatement statement) {
      SENT.add(statement);
    }
  }

  @Override
  public void close() {}
}
