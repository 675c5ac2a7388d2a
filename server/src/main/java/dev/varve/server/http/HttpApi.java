// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.util.ArrayList;
import java.util.List;

/// Everything that can be asked over HTTP, and the way to open a port for it.
public final class HttpApi {

  private HttpApi() {}

  /// Opens a port that answers for `service`.
  public static HttpPort open(HttpConfig config, Service service) {
    Gate gate = new Gate(config.hosts(), config.origins());
    Ledger ledger = new Ledger(service);
    Router router = new Router(routes(config.limits(), service, ledger));
    Doorkeeper doorkeeper = new Doorkeeper(service.authenticator());
    return HttpPort.open(
        config, new Dispatch(router, gate, doorkeeper, ledger, config.limits()), service.metrics());
  }

  static List<Route> routes(HttpLimits limits, Service service, Ledger ledger) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(new HomeRoutes(service.version(), () -> routes).routes());
    routes.addAll(new MetricsRoutes(service, service.metrics()).routes());
    routes.addAll(new HealthRoutes(service, service.clock().instant()).routes());
    routes.addAll(new ContextRoutes(service, limits).routes());
    routes.addAll(new TurnRoutes(service.views().turns(), limits).routes());
    routes.addAll(new AppendRoutes(service, limits).routes());
    routes.addAll(new BlobRoutes(service.store(), limits).routes());
    routes.addAll(new TypeRoutes(service.views().registry()).routes());
    routes.addAll(new FileRoutes(service.store(), service.views().files()).routes());
    routes.addAll(new EventRoutes(service.store(), service.hub()).routes());
    routes.addAll(new McpRoutes(service, limits, () -> routes, ledger).routes());
    return routes;
  }
}
