// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Everything that can be asked over HTTP, and the way to open a port for it.
public final class HttpApi {

  private HttpApi() {}

  /// Opens a port that answers for `store`.
  ///
  /// @param version of this program
  public static HttpPort open(HttpConfig config, Store store, String version, InstantSource clock) {
    Gate gate = new Gate(config.hosts(), config.origins());
    Router router = new Router(routes(store, config.limits(), version, clock));
    return HttpPort.open(config, new Dispatch(router, gate));
  }

  private static List<Route> routes(
      Store store, HttpLimits limits, String version, InstantSource clock) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(new HealthRoutes(store, version, clock, clock.instant()).routes());
    routes.addAll(new ContextRoutes(store, limits).routes());
    routes.addAll(new TurnRoutes(store, limits).routes());
    routes.addAll(new AppendRoutes(store, limits).routes());
    routes.addAll(new BlobRoutes(store, limits, dev.varve.Limits.DEFAULTS.payloadBytes()).routes());
    return routes;
  }
}
