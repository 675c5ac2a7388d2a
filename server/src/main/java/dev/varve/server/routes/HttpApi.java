// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.server.http.AccessLog;
import dev.varve.server.http.Authentication;
import dev.varve.server.http.HttpConfig;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpPort;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.OriginCheck;
import dev.varve.server.http.RequestDispatch;
import dev.varve.server.http.Route;
import dev.varve.server.http.Router;
import dev.varve.server.workbench.PageFiles;
import java.util.ArrayList;
import java.util.List;

/// All routes of the HTTP port, and the method that opens the port.
public final class HttpApi {

  private HttpApi() {}

  /// Opens a port that answers for `service`.
  public static HttpPort open(HttpConfig config, HttpService service) {
    OriginCheck originCheck = new OriginCheck(config.hosts(), config.origins());
    AccessLog accessLog = new AccessLog(service);
    Router router = new Router(routes(config.limits(), service, accessLog));
    Authentication authentication = new Authentication(service.authenticator());
    return HttpPort.open(
        config,
        new RequestDispatch(router, originCheck, authentication, accessLog, config.limits()),
        service.metrics());
  }

  static List<Route> routes(HttpLimits limits, HttpService service, AccessLog accessLog) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(new WorkbenchRoutes(new PageFiles(), service.authenticator()).routes());
    routes.addAll(new HomeRoutes(service.version(), () -> routes).routes());
    routes.addAll(new MetricsRoutes(service, service.metrics()).routes());
    routes.addAll(new HealthRoutes(service, service.clock().instant()).routes());
    routes.addAll(new ContextRoutes(service, limits).routes());
    routes.addAll(new BranchRoutes(service.views().branches()).routes());
    routes.addAll(new SearchRoutes(service).routes());
    routes.addAll(new TurnRoutes(service.views().turns(), limits).routes());
    routes.addAll(new AppendRoutes(service, limits).routes());
    routes.addAll(new TombstoneRoutes(service).routes());
    routes.addAll(new ErasureRoutes(service, limits).routes());
    routes.addAll(new HoldRoutes(service.store(), limits).routes());
    routes.addAll(new BlobRoutes(service.store(), limits).routes());
    routes.addAll(new TypeRoutes(service.views().registry()).routes());
    routes.addAll(new FileRoutes(service.store(), service.views().files()).routes());
    routes.addAll(new SurveyRoutes(service.views().surveys()).routes());
    routes.addAll(new EventRoutes(service.store(), service.hub()).routes());
    routes.addAll(
        new McpRoutes(new McpMessages(service, () -> routes, accessLog), limits).routes());
    return routes;
  }

  /// The tools for agents without a port.
  public static McpMessages tools(HttpLimits limits, HttpService service) {
    AccessLog accessLog = new AccessLog(service);
    List<Route> routes = routes(limits, service, accessLog);
    return new McpMessages(service, () -> routes, accessLog);
  }
}
