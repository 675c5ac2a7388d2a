// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.server.access.PageEntry;
import dev.varve.server.binary.BinaryLimits;
import dev.varve.server.files.FileRestores;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.logs.LogConfig;
import dev.varve.socket.SocketFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Addresses, clients, logs and limits of the service. See `docs/configuration.md`.
///
/// @param searched the folder of the store, in which an index of words follows the store; null for
///   no search
/// @param retention null if the service erases nothing by itself
/// @param restores the restores on this machine, for a service that only this machine reaches
public record ServerConfig(
    Ports ports,
    Admission admission,
    Sites sites,
    @Nullable Path searched,
    LogConfig logs,
    Limits limits,
    @Nullable RetentionDuty retention,
    FileRestores restores) {

  /// The addresses at which requests are answered.
  ///
  /// @param http the address of the HTTP port; port 0 lets the system choose
  /// @param binary the address of the binary port; port 0 lets the system choose
  /// @param socket the socket in the store's folder, for programs of the store's user; null for
  ///   none
  public record Ports(
      InetSocketAddress http, InetSocketAddress binary, @Nullable SocketFile socket) {}

  /// The clients that are let in.
  ///
  /// @param tokens the file of tokens that clients must present; null to require none, which is
  ///   allowed on loopback addresses only
  /// @param entry lets in one reader's page only, in place of `tokens`; null for none
  /// @param tls the certificate of both ports; null for plain connections, which are allowed on
  ///   loopback addresses only
  public record Admission(
      @Nullable Path tokens, @Nullable PageEntry entry, @Nullable TlsConfig tls) {}

  /// The names that a browser may use.
  ///
  /// @param hosts host names, beside the loopback names, to which an HTTP request may be addressed
  /// @param origins web sites whose pages may use the HTTP port (CORS); none by default
  public record Sites(Set<String> hosts, Set<String> origins) {

    public Sites {
      hosts = Set.copyOf(hosts);
      origins = Set.copyOf(origins);
    }
  }

  /// The limits of both ports.
  public record Limits(HttpLimits http, BinaryLimits binary) {}

  /// The files that TLS needs.
  ///
  /// @param certificates the chain, PEM
  /// @param key the private key of the first certificate, PEM
  public record TlsConfig(Path certificates, Path key) {}

  /// The ports of cxdb on the loopback address, open to every user of this machine.
  public static final ServerConfig DEFAULTS =
      new ServerConfig(
          new Ports(
              new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9010),
              new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9009),
              null),
          new Admission(null, null, null),
          new Sites(Set.of(), Set.of()),
          null,
          LogConfig.NONE,
          new Limits(HttpLimits.DEFAULTS, BinaryLimits.DEFAULTS),
          null,
          FileRestores.NONE);

  private ServerConfig with(Ports value) {
    return new ServerConfig(value, admission, sites, searched, logs, limits, retention, restores);
  }

  private ServerConfig with(Admission value) {
    return new ServerConfig(ports, value, sites, searched, logs, limits, retention, restores);
  }

  private ServerConfig with(Sites value) {
    return new ServerConfig(ports, admission, value, searched, logs, limits, retention, restores);
  }

  private ServerConfig with(Limits value) {
    return new ServerConfig(ports, admission, sites, searched, logs, value, retention, restores);
  }

  public ServerConfig withHttp(InetSocketAddress value) {
    return with(new Ports(value, ports.binary, ports.socket));
  }

  public ServerConfig withBinary(InetSocketAddress value) {
    return with(new Ports(ports.http, value, ports.socket));
  }

  public ServerConfig withSocket(SocketFile value) {
    return with(new Ports(ports.http, ports.binary, value));
  }

  public ServerConfig withTokens(@Nullable Path value) {
    return with(new Admission(value, admission.entry, admission.tls));
  }

  public ServerConfig withEntry(PageEntry value) {
    return with(new Admission(admission.tokens, value, admission.tls));
  }

  public ServerConfig withTls(@Nullable TlsConfig value) {
    return with(new Admission(admission.tokens, admission.entry, value));
  }

  public ServerConfig withAudit(@Nullable Path value) {
    return withLogs(logs.withAudit(value));
  }

  public ServerConfig withLogs(LogConfig value) {
    return new ServerConfig(ports, admission, sites, searched, value, limits, retention, restores);
  }

  /// The same configuration with a search.
  public ServerConfig withSearch(Path storeFolder) {
    return new ServerConfig(
        ports, admission, sites, storeFolder, logs, limits, retention, restores);
  }

  public ServerConfig withHosts(Set<String> value) {
    return with(new Sites(value, sites.origins));
  }

  public ServerConfig withOrigins(Set<String> value) {
    return with(new Sites(sites.hosts, value));
  }

  public ServerConfig withHttpLimits(HttpLimits value) {
    return with(new Limits(value, limits.binary));
  }

  public ServerConfig withBinaryLimits(BinaryLimits value) {
    return with(new Limits(limits.http, value));
  }

  /// The same configuration with old content erased by the service.
  public ServerConfig withRetention(@Nullable RetentionDuty value) {
    return new ServerConfig(ports, admission, sites, searched, logs, limits, value, restores);
  }

  /// The same configuration with restores of files.
  public ServerConfig withRestores(FileRestores value) {
    return new ServerConfig(ports, admission, sites, searched, logs, limits, retention, value);
  }

  /// The same configuration with at most `connections` connections on both ports together, which
  /// keep their proportion.
  ServerConfig withConnections(long connections) {
    long wanted = (long) limits.http.connections() + limits.binary.connections();
    if (wanted <= connections) {
      return this;
    }
    int forHttp = (int) Math.max(1, connections * limits.http.connections() / wanted);
    int forBinary = (int) Math.max(1, connections - forHttp);
    return withHttpLimits(limits.http.withConnections(forHttp))
        .withBinaryLimits(limits.binary.withConnections(forBinary));
  }
}
