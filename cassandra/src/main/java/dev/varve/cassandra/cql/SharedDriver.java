// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import dev.varve.cassandra.cql.CassandraAddress.Cluster;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The driver's session with a cluster, which all stores of this process on that cluster share: its
/// threads, connections and prepared statements. Ends when the last store is closed.
public final class SharedDriver implements AutoCloseable {

  private static final Map<Cluster, SharedDriver> OPEN = new HashMap<>(); // guarded by the class

  private final Cluster key;
  private final CqlSession session;
  private final Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();
  private int users; // guarded by the class

  private SharedDriver(Cluster key, CqlSession session) {
    this.key = key;
    this.session = session;
  }

  /// The session for an address; connects if no store of this process is on the cluster yet.
  public static SharedDriver open(CassandraAddress address) {
    synchronized (SharedDriver.class) {
      Cluster key = address.cluster();
      SharedDriver driver = OPEN.get(key);
      if (driver == null) {
        driver = new SharedDriver(key, DriverSettings.connect(address));
        OPEN.put(key, driver);
      }
      driver.users++;
      return driver;
    }
  }

  public CqlSession session() {
    return session;
  }

  /// A statement, prepared once.
  public PreparedStatement prepared(String cql) {
    PreparedStatement known = prepared.get(cql);
    if (known == null) {
      known = session.prepare(cql);
      prepared.put(cql, known);
    }
    return known;
  }

  /// To be called once by each user.
  @Override
  public void close() {
    synchronized (SharedDriver.class) {
      users--;
      if (users > 0) {
        return;
      }
      OPEN.remove(key);
    }
    session.close();
  }
}
