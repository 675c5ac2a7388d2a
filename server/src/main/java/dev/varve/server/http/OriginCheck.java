// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A guard against other web sites. A page that a user visits can send requests to ports of the
/// user's machine: under a host name of its own through DNS rebinding, or under a loopback name
/// with its own origin. A request with a foreign host is therefore refused, and so is a request
/// with a foreign origin.
///
/// @param hosts the host names that a request may be addressed to, without a port; empty for any
/// @param origins the foreign origins that are allowed (CORS), for instance
///   `https://ui.example.org`
public record OriginCheck(Set<String> hosts, Set<String> origins) {

  /// The loopback names of this machine.
  static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /// Refuses a request that is addressed to another host or comes from another site.
  void check(String method, Optional<String> host, Optional<String> origin, Optional<String> site) {
    String name = withoutPort(host.orElse("").toLowerCase(Locale.ROOT));
    if (!hosts.isEmpty() && !hosts.contains(name)) {
      throw new HttpRefusal(
          421,
          "host '"
              + name
              + "': this server answers to "
              + String.join(", ", hosts.stream().sorted().toList()));
    }
    if (origin.isPresent()) {
      if (!isOwn(origin.get(), host.orElse("")) && !origins.contains(origin.get())) {
        throw new HttpRefusal(403, "origin '" + origin.get() + "': other sites are not let in");
      }
    } else if (site.orElse("").equals("cross-site") && !method.equals("GET")) {
      throw new HttpRefusal(403, "other sites are not let in");
    }
  }

  /// Returns whether a browser may show the answer to a page of `origin`.
  boolean lets(Optional<String> origin) {
    return origin.isPresent() && origins.contains(origin.get());
  }

  private static boolean isOwn(String origin, String host) {
    try {
      URI uri = URI.create(origin);
      return uri.getAuthority() != null
          && uri.getAuthority().equalsIgnoreCase(host)
          && (uri.getScheme().equals("http") || uri.getScheme().equals("https"));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }
}
