// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.server.binary.BinaryLimits;
import dev.varve.server.http.HttpLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where and for whom the service is open. See `docs/configuration.md`.
///
/// @param http where HTTP is answered; port 0 lets the system choose
/// @param binary where the binary protocol is answered; port 0 lets the system choose
/// @param tokens the file of tokens that clients must show; null to ask for none, which only an
///   address of this machine for itself may do
/// @param certificates PEM, for TLS on both ports; null for none, as above
/// @param key of the first certificate, PEM; present if `certificates` is
/// @param audit the file that writes are noted in; null for none
/// @param hosts names, beside those of this machine for itself, that a request over HTTP may be
///   addressed to
/// @param origins web sites whose pages may use the HTTP port (CORS); none by default
public record ServerConfig(
    InetSocketAddress http,
    InetSocketAddress binary,
    @Nullable Path tokens,
    @Nullable Path certificates,
    @Nullable Path key,
    @Nullable Path audit,
    Set<String> hosts,
    Set<String> origins,
    HttpLimits httpLimits,
    BinaryLimits binaryLimits) {

  /// cxdb's ports, on this machine only, for everybody on it.
  public static final ServerConfig DEFAULTS =
      new ServerConfig(
          new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9010),
          new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9009),
          null,
          null,
          null,
          null,
          Set.of(),
          Set.of(),
          HttpLimits.DEFAULTS,
          BinaryLimits.DEFAULTS);

  public ServerConfig {
    hosts = Set.copyOf(hosts);
    origins = Set.copyOf(origins);
    if ((certificates == null) != (key == null)) {
      throw new IllegalArgumentException("certificates and key: expected both or none");
    }
  }

  public ServerConfig withHttp(InetSocketAddress value) {
    return new ServerConfig(
        value, binary, tokens, certificates, key, audit, hosts, origins, httpLimits, binaryLimits);
  }

  public ServerConfig withBinary(InetSocketAddress value) {
    return new ServerConfig(
        http, value, tokens, certificates, key, audit, hosts, origins, httpLimits, binaryLimits);
  }

  public ServerConfig withTokens(@Nullable Path value) {
    return new ServerConfig(
        http, binary, value, certificates, key, audit, hosts, origins, httpLimits, binaryLimits);
  }

  public ServerConfig withTls(@Nullable Path newCertificates, @Nullable Path newKey) {
    return new ServerConfig(
        http,
        binary,
        tokens,
        newCertificates,
        newKey,
        audit,
        hosts,
        origins,
        httpLimits,
        binaryLimits);
  }

  public ServerConfig withAudit(@Nullable Path value) {
    return new ServerConfig(
        http, binary, tokens, certificates, key, value, hosts, origins, httpLimits, binaryLimits);
  }

  public ServerConfig withHosts(Set<String> value) {
    return new ServerConfig(
        http, binary, tokens, certificates, key, audit, value, origins, httpLimits, binaryLimits);
  }

  public ServerConfig withOrigins(Set<String> value) {
    return new ServerConfig(
        http, binary, tokens, certificates, key, audit, hosts, value, httpLimits, binaryLimits);
  }

  public ServerConfig withHttpLimits(HttpLimits value) {
    return new ServerConfig(
        http, binary, tokens, certificates, key, audit, hosts, origins, value, binaryLimits);
  }

  public ServerConfig withBinaryLimits(BinaryLimits value) {
    return new ServerConfig(
        http, binary, tokens, certificates, key, audit, hosts, origins, httpLimits, value);
  }
}
