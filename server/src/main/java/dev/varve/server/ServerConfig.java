// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.server.http.HttpLimits;
import java.net.InetSocketAddress;
import java.util.Set;

/// Where and for whom the service is open. See `docs/configuration.md`.
///
/// @param http where HTTP is answered; port 0 lets the system choose
/// @param binary where the binary protocol is answered; port 0 lets the system choose
/// @param hosts names, beside those of this machine for itself, that a request over HTTP may be
///   addressed to
/// @param origins web sites whose pages may use the HTTP port (CORS); none by default
public record ServerConfig(
    InetSocketAddress http,
    InetSocketAddress binary,
    Set<String> hosts,
    Set<String> origins,
    HttpLimits httpLimits) {

  /// cxdb's ports, on this machine only.
  public static final ServerConfig DEFAULTS =
      new ServerConfig(
          new InetSocketAddress("127.0.0.1", 9010),
          new InetSocketAddress("127.0.0.1", 9009),
          Set.of(),
          Set.of(),
          HttpLimits.DEFAULTS);

  public ServerConfig {
    hosts = Set.copyOf(hosts);
    origins = Set.copyOf(origins);
  }

  public ServerConfig withHttp(InetSocketAddress value) {
    return new ServerConfig(value, binary, hosts, origins, httpLimits);
  }

  public ServerConfig withBinary(InetSocketAddress value) {
    return new ServerConfig(http, value, hosts, origins, httpLimits);
  }

  public ServerConfig withHosts(Set<String> value) {
    return new ServerConfig(http, binary, value, origins, httpLimits);
  }

  public ServerConfig withOrigins(Set<String> value) {
    return new ServerConfig(http, binary, hosts, value, httpLimits);
  }

  public ServerConfig withHttpLimits(HttpLimits value) {
    return new ServerConfig(http, binary, hosts, origins, value);
  }
}
