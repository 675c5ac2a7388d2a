// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.Route;
import dev.varve.server.types.RegistryLimits;
import dev.varve.server.types.RegistryViews;
import dev.varve.server.types.TypeRegistry;
import java.util.List;

/// The routes that publish and show types.
record TypeRoutes(TypeRegistry registry) {

  List<Route> routes() {
    return List.of(
        Route.write(
            "PUT",
            "/v1/registry/bundles/{id}",
            Route.Doc.of("putBundle", "Publishes a bundle of types; the id in the body counts.")
                .takes("Bundle")
                .gives("StoredBundle", 201, 204),
            this::put),
        Route.get(
            "/v1/registry/bundles/{id}",
            Route.Doc.of("getBundle", "A bundle, byte for byte. Takes If-None-Match.")
                .gives("Bundle", 200, 304),
            this::get),
        Route.get(
            "/v1/registry/types",
            Route.Doc.of("listTypes", "The types, each with its greatest version.")
                .gives("TypeList"),
            _ -> HttpAnswer.json(RegistryViews.types(registry.catalogue()))),
        Route.get(
            "/v1/registry/types/{type_id}/versions/{version}",
            Route.Doc.of("getTypeVersion", "What the tags of one version of a type mean.")
                .gives("TypeVersion"),
            this::version),
        Route.get(
            "/v1/registry/renderers",
            Route.Doc.of("listRenderers", "What shows each type in a browser, where one is known.")
                .gives("RendererList"),
            _ -> HttpAnswer.json(RegistryViews.renderers(registry.catalogue()))));
  }

  private HttpAnswer put(HttpRequest request) {
    byte[] body = request.read(RegistryLimits.DEFAULTS.bundleBytes());
    TypeRegistry.PutResult put = registry.put(Payload.wrap(body));
    return switch (put.outcome()) {
      case STORED -> HttpAnswer.json(201, RegistryViews.stored(put));
      case UNCHANGED -> HttpAnswer.empty(204);
    };
  }

  private HttpAnswer get(HttpRequest request) {
    String id = request.param("id");
    Payload bytes = registry.bytes(id).orElseThrow(() -> new StoreException.NotFound("bundle", id));
    String tag = "\"" + registry.catalogue().bundle(id).orElseThrow() + "\"";
    HttpAnswer answer =
        ByteRanges.tagMatches(request.header("If-None-Match"), tag)
            ? HttpAnswer.empty(304)
            : HttpAnswer.bytes(200, HttpAnswer.JSON, bytes.unsafeArray());
    return answer.with("ETag", tag);
  }

  private HttpAnswer version(HttpRequest request) {
    return HttpAnswer.json(
        RegistryViews.version(
            registry.catalogue(), request.param("type_id"), request.param("version")));
  }
}
