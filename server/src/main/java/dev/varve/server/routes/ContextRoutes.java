// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.server.contexts.ContextViews;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The routes that list, show, search, create and fork contexts.
record ContextRoutes(HttpService service, HttpLimits limits) {

  private static final int LIST_DEFAULT = 20;
  private static final int CHILDREN_DEFAULT = 256;
  private static final int SIZED_MAX = 256;
  private static final int SEARCH_MS = 10_000;
  private static final int SEARCH_MS_MAX = 60_000;

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/contexts",
            Route.Doc.of("listContexts", "The contexts, the most recently active first.")
                .params(
                    new Route.Param("limit", "integer", "how many at most"),
                    new Route.Param("after", "string", "only those behind this context"),
                    new Route.Param("tag", "string", "only those with this client tag"),
                    new Route.Param("include_provenance", "boolean", "who wrote them, too"),
                    new Route.Param("include_lineage", "boolean", "where they come from, too"),
                    JsonIds.PARAM)
                .gives("ContextList"),
            this::list),
        Route.get(
            "/v1/contexts/{id}",
            Route.Doc.of("getContext", "A context and where it points.")
                .params(JsonIds.PARAM)
                .gives("Context"),
            this::get),
        Route.get(
            "/v1/contexts/search",
            Route.Doc.of("searchContexts", "The contexts for which a query holds, newest first.")
                .params(
                    new Route.Param("q", "string", "the query, in CQL"),
                    new Route.Param("limit", "integer", "how many are shown; all are counted"),
                    new Route.Param(
                        "before_context_id",
                        "string",
                        "goes on where an incomplete search stopped"),
                    new Route.Param("timeout_ms", "integer", "after which it stops, incomplete"),
                    JsonIds.PARAM)
                .gives("SearchAnswer")
                .refuses("SearchRefusal"),
            this::search),
        Route.get(
            "/v1/contexts/sizes",
            Route.Doc.of(
                    "sizeContexts",
                    "The bytes of the payloads of contexts, as far as there is time to count them.")
                .params(
                    new Route.Param("ids", "string", "numbers of contexts, with commas between"),
                    JsonIds.PARAM)
                .gives("ContextSizes"),
            this::sizes),
        Route.get(
            "/v1/contexts/{id}/provenance",
            Route.Doc.of("getProvenance", "Who wrote a context, where, on whose behalf.")
                .params(JsonIds.PARAM)
                .gives("ProvenanceAnswer"),
            this::provenance),
        Route.get(
            "/v1/contexts/{id}/children",
            Route.Doc.of("listChildren", "The contexts that come from one.")
                .params(
                    new Route.Param("recursive", "boolean", "and those that come from them"),
                    new Route.Param("limit", "integer", "how many at most"),
                    JsonIds.PARAM)
                .gives("ChildList"),
            this::children),
        Route.write("POST", "/v1/contexts", create("createContext"), this::create),
        Route.write("POST", "/v1/contexts/create", create("createContextToo"), this::create),
        Route.write(
            "POST",
            "/v1/contexts/fork",
            Route.Doc.of("forkContext", "Makes a context whose head is `base_turn_id`.")
                .params(JsonIds.PARAM)
                .takes("NewFork")
                .gives("MadeContext", 201),
            this::fork));
  }

  private static Route.Doc create(String id) {
    return Route.Doc.of(id, "Makes a context; with `base_turn_id`, a fork of that turn.")
        .params(JsonIds.PARAM)
        .takes("NewContext")
        .gives("MadeContext", 201);
  }

  private HttpAnswer list(HttpRequest request) {
    return HttpAnswer.largeJson(
        views()
            .list(
                new ContextViews.ListRequest(
                    request.limit("limit", LIST_DEFAULT, limits.sizes().pageTurns()),
                    request.query("after").map(ContextId::parse).orElse(null),
                    request.query("tag").orElse(null),
                    request.flag("include_provenance"),
                    request.flag("include_lineage"),
                    JsonIds.of(request).format())));
  }

  private HttpAnswer get(HttpRequest request) {
    return HttpAnswer.json(views().context(id(request), JsonIds.of(request).format()));
  }

  private HttpAnswer sizes(HttpRequest request) {
    String[] asked = request.query("ids").orElse("").split(",", SIZED_MAX + 1);
    if (asked.length > SIZED_MAX) {
      throw HttpRefusal.invalid("ids: expected at most " + SIZED_MAX + " contexts, found more");
    }
    List<ContextId> contexts =
        Arrays.stream(asked).filter(id -> !id.isEmpty()).map(ContextId::parse).distinct().toList();
    return HttpAnswer.json(views().sizes(contexts, JsonIds.of(request).format()));
  }

  private HttpAnswer search(HttpRequest request) {
    Integer limit =
        request.query("limit").isPresent()
            ? request.number("limit", LIST_DEFAULT, Integer.MAX_VALUE)
            : null;
    ContextViews.ContextSearch asked =
        new ContextViews.ContextSearch(
            request.query("q").orElse(null),
            limit,
            request.query("before_context_id").map(ContextId::parse).orElse(null),
            Duration.ofMillis(request.number("timeout_ms", SEARCH_MS, SEARCH_MS_MAX)),
            JsonIds.of(request).format());
    return switch (views().search(asked)) {
      case ContextViews.SearchResult.Found(var answer) -> HttpAnswer.json(answer);
      case ContextViews.SearchResult.Refused(var answer) -> HttpAnswer.json(400, answer);
    };
  }

  private HttpAnswer provenance(HttpRequest request) {
    return HttpAnswer.json(views().provenance(id(request), JsonIds.of(request).format()));
  }

  private HttpAnswer children(HttpRequest request) {
    return HttpAnswer.json(
        views()
            .children(
                id(request),
                request.flag("recursive"),
                request.limit("limit", CHILDREN_DEFAULT, limits.sizes().pageTurns()),
                JsonIds.of(request).format()));
  }

  private ContextViews views() {
    return service.views().contexts();
  }

  private static ContextId id(HttpRequest request) {
    return ContextId.parse(request.param("id"));
  }

  private HttpAnswer create(HttpRequest request) {
    ObjectNode object = JsonTrees.readOptionalObject(request.read(limits.sizes().jsonBytes()));
    return made(request, JsonIds.turn(object, "base_turn_id", TurnId.NONE));
  }

  private HttpAnswer fork(HttpRequest request) {
    ObjectNode body = JsonTrees.readObject(request.read(limits.sizes().jsonBytes()));
    if (!body.hasNonNull("base_turn_id")) {
      throw HttpRefusal.invalid("base_turn_id: expected a turn's id, found nothing");
    }
    return made(request, JsonIds.turn(body, "base_turn_id", TurnId.NONE));
  }

  private HttpAnswer made(HttpRequest request, TurnId base) {
    ContextHead head;
    try {
      head = service.store().createContext(base, about(request));
    } catch (StoreException.NotFound e) {
      throw new HttpRefusal(409, "base turn " + base + ": not found"); // the status that cxdb gives
    }
    service.events().on(new ServerEvent.ContextCreated(head, null));
    return HttpAnswer.json(201, describe(JsonIds.of(request), head));
  }

  /// The `about` blob with the client's tag. The tag is stored with the context because HTTP has no
  /// session that would carry the tag.
  private @Nullable BlobHash about(HttpRequest request) {
    String tag =
        request.header("X-CXDB-Client-Tag").or(() -> request.header("X-Client-Tag")).orElse("");
    if (tag.isEmpty()) {
      return null;
    }
    ObjectNode about = JsonTrees.object().put("client_tag", tag);
    return service.store().put(Payload.wrap(JsonTrees.bytes(about)));
  }

  private static ObjectNode describe(JsonIds ids, ContextHead head) {
    ObjectNode object = JsonTrees.object();
    ids.put(object, "context_id", head.id());
    ids.put(object, "head_turn_id", head.head());
    object.put("head_depth", head.headDepth());
    object.put("created_at_unix_ms", head.activeAt().toEpochMilli()); // cxdb's name for it
    object.put("context_created_at_unix_ms", head.createdAt().toEpochMilli());
    if (!head.base().isNone()) {
      ids.put(object, "base_turn_id", head.base());
    }
    return object;
  }
}
