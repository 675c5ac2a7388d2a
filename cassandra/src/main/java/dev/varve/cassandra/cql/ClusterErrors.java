// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.QueryExecutionException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import dev.varve.StoreException;
import java.util.List;

/// The meaning of the errors of the driver.
public final class ClusterErrors {

  private ClusterErrors() {}

  /// Returns whether the same statement may succeed a moment later. It is unknown then whether the
  /// statement was done.
  public static boolean isPassing(Throwable e) {
    return switch (e) {
      case AllNodesFailedException all ->
          all.getAllErrors().values().stream()
              .flatMap(List::stream)
              .noneMatch(AuthenticationException.class::isInstance);
      case QueryExecutionException _,
          DriverTimeoutException _,
          ClosedConnectionException _,
          HeartbeatException _,
          BusyConnectionException _,
          ConnectionInitException _,
          RequestThrottlingException _,
          ServerError _ ->
          true;
      default -> false;
    };
  }

  /// The refusal for an error that did not pass.
  ///
  /// @param address of the store, for people
  public static StoreException refusal(String address, Throwable e) {
    if (e instanceof StoreException known) {
      return known; // of a statement that was not even sent
    }
    String said = firstLine(e);
    if (e instanceof UnauthorizedException) {
      return new StoreException.Io(address, "the user may not do this: " + said, e);
    }
    if (e instanceof AllNodesFailedException && !isPassing(e)) {
      return new StoreException.Io(address, "the nodes refuse the user", e);
    }
    if (e instanceof IllegalStateException) {
      return new StoreException.Closed("store");
    }
    return new StoreException.Io(address, isPassing(e) ? "does not answer: " + said : said, e);
  }

  private static String firstLine(Throwable e) {
    String message = e instanceof DriverException ? e.getMessage() : e.toString();
    return String.valueOf(message).lines().findFirst().orElse("").strip();
  }
}
