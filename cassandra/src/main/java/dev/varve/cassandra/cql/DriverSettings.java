// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// The settings of the driver, each with its reason in docs/cassandra.md.
public final class DriverSettings {

  /// The time after which an answer counts as lost.
  public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

  private DriverSettings() {}

  /// Connects to the nodes of an address.
  public static CqlSession connect(CassandraAddress address) {
    CqlSessionBuilder builder = CqlSession.builder().withConfigLoader(settings(address));
    for (CassandraAddress.Node node : address.nodes()) {
      builder.addContactPoint(new InetSocketAddress(node.host(), node.port()));
    }
    CassandraAddress.Login login = address.login();
    if (login != null) {
      builder.withAuthCredentials(login.user(), login.password());
    }
    String dataCentre = address.dataCentre();
    if (dataCentre != null) {
      builder.withLocalDatacenter(dataCentre);
    }
    return builder.build();
  }

  private static DriverConfigLoader settings(CassandraAddress address) {
    ProgrammaticDriverConfigLoaderBuilder settings =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.SESSION_NAME, "varve")
            // V5 of this driver loses the connection when a contended condition times out.
            .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_TIMEOUT)
            .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, false)
            // Of statements that may be done twice only: a frozen node holds nobody up.
            .withString(
                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                "ConstantSpeculativeExecutionPolicy")
            .withInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX, 2)
            .withDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY, Duration.ofMillis(300))
            .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, Duration.ofSeconds(2))
            .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, Duration.ofSeconds(2))
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2))
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, Duration.ofSeconds(5))
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(5))
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(5))
            .withDuration(
                DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(30))
            .withStringList(
                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES,
                List.of(address.keyspace()))
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 2)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
    if (address.dataCentre() == null) {
      settings.withString(
          DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
    }
    if (address.isEncrypted()) {
      settings.withString(DefaultDriverOption.SSL_ENGINE_FACTORY_CLASS, "DefaultSslEngineFactory");
    }
    return settings.build();
  }
}
