// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.server.types.RegistryLimits;
import dev.varve.server.types.RegistryViews;
import dev.varve.server.types.TypeRegistry;
import java.util.List;

/// Types: what writers publish of them, and what they are.
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
            _ -> Answer.json(RegistryViews.types(registry.catalogue()))),
        Route.get(
            "/v1/registry/types/{type_id}/versions/{version}",
            Route.Doc.of("getTypeVersion", "What the tags of one version of a type mean.")
                .gives("TypeVersion"),
            this::version),
        Route.get(
            "/v1/registry/renderers",
            Route.Doc.of("listRenderers", "What shows each type in a browser, where one is known.")
                .gives("RendererList"),
            _ -> Answer.json(RegistryViews.renderers(registry.catalogue()))));
  }

  private Answer put(Request request) {
    byte[] body = request.read(RegistryLimits.DEFAULTS.bundleBytes());
    TypeRegistry.Put put = registry.put(Payload.wrap(body));
    return switch (put.outcome()) {
      case STORED -> Answer.json(201, RegistryViews.stored(put));
      case UNCHANGED -> Answer.empty(204);
    };
  }

  private Answer get(Request request) {
    String id = request.param("id");
    Payload bytes = registry.bytes(id).orElseThrow(() -> new StoreException.NotFound("bundle", id));
    String tag = "\"" + registry.catalogue().bundle(id).orElseThrow() + "\"";
    Answer answer =
        Ranges.tagMatches(request.header("If-None-Match"), tag)
            ? Answer.empty(304)
            : Answer.bytes(200, Answer.JSON, bytes.unsafeArray());
    return answer.with("ETag", tag);
  }

  private Answer version(Request request) {
    return Answer.json(
        RegistryViews.version(
            registry.catalogue(), request.param("type_id"), request.param("version")));
  }
}
