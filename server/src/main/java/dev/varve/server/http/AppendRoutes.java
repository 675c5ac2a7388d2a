// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

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
import dev.varve.server.types.PayloadEncoder;
import dev.varve.server.value.Bounds;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.Value;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Appends over HTTP, one turn or some.
record AppendRoutes(Service service, HttpLimits limits) {

  List<Route> routes() {
    return List.of(
        Route.write("POST", "/v1/contexts/{id}/append", append("appendTurn"), this::append),
        Route.write("POST", "/v1/contexts/{id}/turns", append("appendTurnToo"), this::append),
        Route.write(
            "POST",
            "/v1/contexts/{id}/append-batch",
            Route.Doc.of("appendTurns", "Appends turns one after the other; says how far it came.")
                .params(Ids.PARAM)
                .takes("NewTurns")
                .gives("AppendedTurns", 201)
                .refuses("AppendedTurns"),
            this::appendBatch));
  }

  private static Route.Doc append(String id) {
    return Route.Doc.of(id, "Appends a turn; it is durable when this answers.")
        .params(Ids.PARAM)
        .takes("NewTurn")
        .gives("AppendedTurn", 201);
  }

  private Answer append(Request request) {
    ContextId context = ContextId.parse(request.param("id"));
    ObjectNode body = Json.readObject(request.read(limits.jsonBytes()));
    Turn turn = append(context, body);
    ObjectNode answer = Json.object();
    Ids ids = Ids.of(request);
    ids.put(answer, "context_id", context);
    return Answer.json(201, describe(ids, answer, turn));
  }

  private Answer appendBatch(Request request) {
    ContextId context = ContextId.parse(request.param("id"));
    ObjectNode body = Json.readObject(request.read(limits.jsonBytes()));
    JsonNode items = body.has("turns") ? body.get("turns") : body.get("items");
    if (!(items instanceof ArrayNode turns) || turns.isEmpty()) {
      throw HttpRefusal.invalid("turns: expected an array of turns");
    }
    if (turns.size() > limits.batchTurns()) {
      throw HttpRefusal.tooLarge("turns", turns.size(), limits.batchTurns());
    }
    Ids ids = Ids.of(request);
    ObjectNode answer = Json.object();
    ids.put(answer, "context_id", context);
    ArrayNode done = answer.putArray("turns");
    for (int i = 0; i < turns.size(); i++) {
      try {
        if (!(turns.get(i) instanceof ObjectNode item)) {
          throw HttpRefusal.invalid("turns: expected objects");
        }
        done.add(describe(ids, Json.object(), append(context, item)));
      } catch (HttpRefusal | StoreException e) {
        if (done.isEmpty()) {
          throw e; // nothing was done: an ordinary refusal
        }
        int code =
            e instanceof StoreException refusal
                ? Errors.status(refusal)
                : ((HttpRefusal) e).status();
        answer.put("partial", true).put("failed_index", i);
        answer.putObject("error").put("code", code).put("message", String.valueOf(e.getMessage()));
        return Answer.json(code, answer);
      }
    }
    return Answer.json(201, answer.put("partial", false));
  }

  private static ObjectNode describe(Ids ids, ObjectNode object, Turn turn) {
    ids.put(object, "turn_id", turn.id());
    ids.put(object, "parent_turn_id", turn.parent());
    return object.put("depth", turn.depth()).put("content_hash", turn.payloadHash().toString());
  }

  private Turn append(ContextId context, ObjectNode body) {
    String typeId = text(body, "type_id");
    int version = (int) number(body, "type_version", 0xffff_ffffL);
    Encoding encoding =
        new Encoding((int) (body.has("encoding") ? number(body, "encoding", 0xffff_ffffL) : 1));
    Payload payload = payload(body, encoding, typeId, version);
    if (payload.sizeBytes() > limits.payloadBytes()) {
      throw HttpRefusal.tooLarge("payload", payload.sizeBytes(), limits.payloadBytes());
    }
    NewTurn turn = NewTurn.of(payload, new DeclaredType(typeId, version), encoding);
    TurnId parent = Ids.turn(body, "parent_turn_id", TurnId.NONE);
    if (!parent.isNone()) {
      turn = turn.withParent(parent);
    }
    if (body.hasNonNull("expected_head_turn_id")) {
      turn = turn.withExpectedHead(Ids.turn(body, "expected_head_turn_id", TurnId.NONE));
    }
    if (body.hasNonNull("idempotency_key") && !text(body, "idempotency_key").isEmpty()) {
      turn = turn.withKey(IdempotencyKey.of(text(body, "idempotency_key")));
    }
    if (body.hasNonNull("fs_root_hash")) {
      turn = turn.withFsRoot(BlobHash.parse(text(body, "fs_root_hash")));
    }
    return append(context, turn);
  }

  private Turn append(ContextId context, NewTurn turn) {
    try {
      // A retry is answered with a turn that is no newer than the head was before.
      TurnId newest = turn.key() == null ? TurnId.NONE : service.store().head(context).head();
      Turn stored = service.store().append(context, turn);
      if (stored.id().compareTo(newest) > 0) {
        service.events().on(new ServerEvent.TurnAppended(stored, null));
      }
      return stored;
    } catch (StoreException.NotFound e) {
      if (e.kind().startsWith("parent")) {
        throw new HttpRefusal(409, String.valueOf(e.getMessage())); // cxdb's status for it
      }
      throw e;
    }
  }

  /// `payload_base64` is the bytes; `data` or `payload` is JSON that becomes msgpack by its type,
  /// or stays JSON where the encoding says so.
  private Payload payload(ObjectNode body, Encoding encoding, String typeId, int version) {
    JsonNode data = body.has("data") ? body.get("data") : body.get("payload");
    if (data != null && !body.has("payload_base64")) {
      if (encoding.equals(Encoding.JSON)) {
        return Payload.wrap(Json.bytes(data));
      }
      if (!encoding.equals(Encoding.MSGPACK)) {
        throw HttpRefusal.invalid("encoding: data can be kept as 1 (msgpack) or 2 (JSON)");
      }
      Value value = JsonReader.read(Payload.wrap(Json.bytes(data)), Bounds.DEFAULTS);
      return new PayloadEncoder(service.views().registry().catalogue())
          .encode(value, typeId, Integer.toUnsignedLong(version));
    }
    String text = text(body, "payload_base64");
    try {
      return Payload.wrap(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw HttpRefusal.invalid("payload_base64: " + e.getMessage());
    }
  }

  private static String text(ObjectNode body, String name) {
    JsonNode value = body.get(name);
    if (value == null || !value.isString()) {
      throw HttpRefusal.invalid(name + ": expected a string");
    }
    return value.stringValue();
  }

  private static long number(ObjectNode body, String name, long max) {
    JsonNode value = body.get(name);
    if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
      throw HttpRefusal.invalid(name + ": expected a whole number");
    }
    long number = value.longValue();
    if (number < 0 || number > max) {
      throw HttpRefusal.invalid(name + ": expected 0 to " + max + ", found " + number);
    }
    return number;
  }
}
