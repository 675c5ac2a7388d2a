// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The turns of a context, page by page.
record TurnRoutes(Store store, HttpLimits limits) {

  private static final int PAGE_DEFAULT = 64;

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/contexts/{id}/turns",
            Route.Doc.of(
                    "listTurns", "The last turns of a context, or those before one, oldest first.")
                .params(
                    new Route.Param("limit", "integer", "how many at most"),
                    new Route.Param("before_turn_id", "string", "only turns older than this one"),
                    new Route.Param("view", "string", "what is shown of payloads", "raw"),
                    new Route.Param(
                        "bytes_render",
                        "string",
                        "how bytes are written",
                        "base64",
                        "hex",
                        "len_only"),
                    Ids.PARAM),
            this::page));
  }

  private Answer page(Request request) {
    ContextId context = ContextId.parse(request.param("id"));
    int limit = request.number("limit", PAGE_DEFAULT, limits.pageTurns());
    TurnId before = request.query("before_turn_id").map(TurnId::parse).orElse(TurnId.NONE);
    Paging.check(read(context, before, limit, View.HEADERS).turns(), limits.pageBytes());
    TurnPage page = read(context, before, limit, View.LATEST);

    Ids ids = Ids.of(request);
    ObjectNode answer = Json.object();
    ObjectNode meta = answer.putObject("meta");
    ids.put(meta, "context_id", context);
    meta.put("head_depth", page.head().headDepth());
    ids.put(meta, "head_turn_id", page.head().head());
    if (page.turns().isEmpty()) {
      answer.putNull("next_before_turn_id");
    } else {
      ids.put(answer, "next_before_turn_id", page.turns().getFirst().id());
    }
    ArrayNode turns = answer.putArray("turns");
    String render = request.query("bytes_render").orElse("base64").toLowerCase(Locale.ROOT);
    page.turns().forEach(turn -> turns.add(describe(ids, turn, render)));
    return Answer.json(answer);
  }

  private TurnPage read(ContextId context, TurnId before, int limit, View view) {
    return before.isNone()
        ? store.last(context, limit, view)
        : store.before(context, before, limit, view);
  }

  private static ObjectNode describe(Ids ids, Turn turn, String render) {
    ObjectNode object = Json.object();
    ids.put(object, "turn_id", turn.id());
    ids.put(object, "parent_turn_id", turn.parent());
    object.put("depth", turn.depth());
    object.put("created_at_unix_ms", turn.createdAt().toEpochMilli());
    object
        .putObject("declared_type")
        .put("type_id", turn.type().id())
        .put("type_version", Integer.toUnsignedLong(turn.type().version()));
    object.put("content_hash_b3", turn.payloadHash().toString());
    object.put("encoding", Integer.toUnsignedLong(turn.encoding().tag()));
    object.put("compression", 0);
    object.put("uncompressed_len", turn.payloadSizeBytes());
    if (turn.payload() != null) {
      byte[] bytes = turn.payload().unsafeArray();
      switch (render) {
        case "base64" -> object.put("bytes_b64", Base64.getEncoder().encodeToString(bytes));
        case "hex" -> object.put("bytes_hex", HexFormat.of().formatHex(bytes));
        case "len_only" -> object.put("bytes_len", bytes.length);
        default -> throw HttpRefusal.invalid("bytes_render: expected base64, hex or len_only");
      }
    }
    return object;
  }
}
