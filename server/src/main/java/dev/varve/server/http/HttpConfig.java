// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.net.InetSocketAddress;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The address of the HTTP port and the clients that it serves.
///
/// @param address port 0 lets the system choose
/// @param tls null for plain HTTP
/// @param hosts the host names that a request may be addressed to, without a port; empty for any
/// @param origins the foreign web sites whose pages may use the port (CORS)
public record HttpConfig(
    InetSocketAddress address,
    @Nullable SSLContext tls,
    Set<String> hosts,
    Set<String> origins,
    HttpLimits limits) {

  /// The loopback names of this machine.
  public static final Set<String> LOOPBACK_HOSTS = OriginCheck.LOOPBACK;

  public HttpConfig {
    hosts = Set.copyOf(hosts);
    origins = Set.copyOf(origins);
  }
}
