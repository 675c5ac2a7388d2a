// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.ErrorAnswers;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.JsonMembers;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import dev.varve.server.types.PayloadEncoder;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.PayloadValue;
import dev.varve.server.value.ValueBounds;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes that append turns over HTTP, one turn or a batch.
record AppendRoutes(HttpService service, HttpLimits limits) {

  List<Route> routes() {
    return List.of(
        Route.write("POST", "/v1/contexts/{id}/append", append("appendTurn"), this::append),
        Route.write("POST", "/v1/contexts/{id}/turns", append("appendTurnToo"), this::append),
        Route.write(
            "POST",
            "/v1/contexts/{id}/append-batch",
            Route.Doc.of("appendTurns", "Appends turns one after the other; says how far it came.")
                .params(JsonIds.PARAM)
                .takes("NewTurns")
                .gives("AppendedTurns", 201)
                .refuses("AppendedTurns"),
            this::appendBatch));
  }

  private static Route.Doc append(String id) {
    return Route.Doc.of(id, "Appends a turn; it is durable when this answers.")
        .params(JsonIds.PARAM)
        .takes("NewTurn")
        .gives("AppendedTurn", 201);
  }

  private HttpAnswer append(HttpRequest request) {
    ContextId context = ContextId.parse(request.param("id"));
    ObjectNode body = JsonTrees.readObject(request.read(limits.sizes().jsonBytes()));
    Turn turn = append(context, body);
    ObjectNode answer = JsonTrees.object();
    JsonIds ids = JsonIds.of(request);
    ids.put(answer, "context_id", context);
    return HttpAnswer.json(201, describe(ids, answer, turn));
  }

  private HttpAnswer appendBatch(HttpRequest request) {
    ContextId context = ContextId.parse(request.param("id"));
    ObjectNode body = JsonTrees.readObject(request.read(limits.sizes().jsonBytes()));
    JsonNode items = body.has("turns") ? body.get("turns") : body.get("items");
    if (!(items instanceof ArrayNode turns) || turns.isEmpty()) {
      throw JsonMembers.mismatch("turns", "an array of turns", items);
    }
    if (turns.size() > limits.sizes().batchTurns()) {
      throw HttpRefusal.tooLarge("turns", turns.size(), limits.sizes().batchTurns());
    }
    JsonIds ids = JsonIds.of(request);
    ObjectNode answer = JsonTrees.object();
    ids.put(answer, "context_id", context);
    ArrayNode done = answer.putArray("turns");
    for (int i = 0; i < turns.size(); i++) {
      try {
        if (!(turns.get(i) instanceof ObjectNode item)) {
          throw JsonMembers.mismatch("turns[" + i + "]", "an object", turns.get(i));
        }
        done.add(describe(ids, JsonTrees.object(), append(context, item)));
      } catch (HttpRefusal | StoreException e) {
        if (done.isEmpty()) {
          throw e; // nothing was appended: an ordinary refusal
        }
        int code =
            e instanceof StoreException refusal
                ? ErrorAnswers.status(refusal)
                : ((HttpRefusal) e).status();
        answer.put("partial", true).put("failed_index", i);
        answer.putObject("error").put("code", code).put("message", String.valueOf(e.getMessage()));
        return HttpAnswer.json(code, answer);
      }
    }
    return HttpAnswer.json(201, answer.put("partial", false));
  }

  private static ObjectNode describe(JsonIds ids, ObjectNode object, Turn turn) {
    ids.put(object, "turn_id", turn.id());
    ids.put(object, "parent_turn_id", turn.parent());
    return object.put("depth", turn.depth()).put("content_hash", turn.payloadHash().toString());
  }

  private Turn append(ContextId context, ObjectNode body) {
    String typeId = JsonMembers.text(body, "type_id");
    int version = (int) JsonMembers.number(body, "type_version", 0xffff_ffffL);
    Encoding encoding =
        new Encoding(
            (int) (body.has("encoding") ? JsonMembers.number(body, "encoding", 0xffff_ffffL) : 1));
    Payload payload = payload(body, encoding, typeId, version);
    if (payload.sizeBytes() > limits.sizes().payloadBytes()) {
      throw HttpRefusal.tooLarge("payload", payload.sizeBytes(), limits.sizes().payloadBytes());
    }
    NewTurn turn = NewTurn.of(payload, new DeclaredType(typeId, version), encoding);
    TurnId parent = JsonIds.turn(body, "parent_turn_id", TurnId.NONE);
    if (!parent.isNone()) {
      turn = turn.withParent(parent);
    }
    if (body.hasNonNull("expected_head_turn_id")) {
      turn = turn.withExpectedHead(JsonIds.turn(body, "expected_head_turn_id", TurnId.NONE));
    }
    if (body.hasNonNull("idempotency_key")
        && !JsonMembers.text(body, "idempotency_key").isEmpty()) {
      turn = turn.withKey(IdempotencyKey.of(JsonMembers.text(body, "idempotency_key")));
    }
    if (body.hasNonNull("fs_root_hash")) {
      turn = turn.withFsRoot(BlobHash.parse(JsonMembers.text(body, "fs_root_hash")));
    }
    return append(context, turn);
  }

  private Turn append(ContextId context, NewTurn turn) {
    try {
      // A retry is answered with a turn whose number is not above the head's before the request.
      TurnId newest = turn.key() == null ? TurnId.NONE : service.store().head(context).head();
      Turn stored = service.store().append(context, turn);
      if (stored.id().compareTo(newest) > 0) {
        service.events().on(new ServerEvent.TurnAppended(stored, null));
      }
      return stored;
    } catch (StoreException.NotFound e) {
      if (e.kind().startsWith("parent")) {
        throw new HttpRefusal(409, String.valueOf(e.getMessage())); // the status that cxdb gives
      }
      throw e;
    }
  }

  /// The payload of a turn. `payload_base64` holds its bytes; `data` or `payload` holds JSON, which
  /// becomes msgpack according to its type, or stays JSON where the encoding says so.
  private Payload payload(ObjectNode body, Encoding encoding, String typeId, int version) {
    String member = body.has("data") ? "data" : "payload";
    JsonNode data = body.get(member);
    if (data != null && !body.has("payload_base64")) {
      if (encoding.equals(Encoding.JSON)) {
        return Payload.wrap(JsonTrees.bytes(data));
      }
      if (!encoding.equals(Encoding.MSGPACK)) {
        throw HttpRefusal.invalid("encoding: data can be kept as 1 (msgpack) or 2 (JSON)");
      }
      PayloadValue value =
          JsonReader.read(Payload.wrap(JsonTrees.bytes(data)), ValueBounds.DEFAULTS);
      return new PayloadEncoder(service.views().registry().catalogue())
          .encode(member, value, typeId, Integer.toUnsignedLong(version));
    }
    String text = JsonMembers.text(body, "payload_base64");
    try {
      return Payload.wrap(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw JsonMembers.mismatch("payload_base64", "base64", body.get("payload_base64"));
    }
  }
}
