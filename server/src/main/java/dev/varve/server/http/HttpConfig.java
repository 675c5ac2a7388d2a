// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.net.InetSocketAddress;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Where and for whom the HTTP port is open.
///
/// @param address port 0 lets the system choose
/// @param tls null for plain HTTP
/// @param hosts the names it answers to, without a port; empty for any
/// @param origins the foreign web sites whose pages may use it (CORS)
public record HttpConfig(
    InetSocketAddress address,
    @Nullable SSLContext tls,
    Set<String> hosts,
    Set<String> origins,
    HttpLimits limits) {

  /// The names of this machine for itself.
  public static final Set<String> LOOPBACK_HOSTS = Gate.LOOPBACK;

  public HttpConfig {
    hosts = Set.copyOf(hosts);
    origins = Set.copyOf(origins);
  }
}
