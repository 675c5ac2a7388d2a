// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.StoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The store as tools of an agent: Model Context Protocol, streamable HTTP, without sessions. Every
/// message is answered by itself, as JSON; nothing is sent unasked, so there is no stream to open.
///
/// @param all every route, since a tool is a route under another name
record McpRoutes(Service service, HttpLimits limits, Supplier<List<Route>> all, Ledger ledger) {

  private static final String VERSION_LATEST = "2025-06-18";
  private static final Set<String> VERSIONS = Set.of("2024-11-05", "2025-03-26", VERSION_LATEST);

  private static final int ANSWER_BYTES_MAX = 4 << 20;

  private static final int PARSE_ERROR = -32700;
  private static final int INVALID_REQUEST = -32600;
  private static final int METHOD_NOT_FOUND = -32601;
  private static final int INVALID_PARAMS = -32602;

  List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            "/mcp",
            Route.Access.READ,
            Route.Doc.of("mcp", "Model Context Protocol: one JSON-RPC message.")
                .takes("RpcRequest")
                .gives("RpcAnswer", 200, 202)
                .refuses("RpcAnswer"),
            this::message));
  }

  private Answer message(Request request) throws IOException {
    ObjectNode message;
    try {
      message = Json.readObject(request.read(limits.jsonBytes()));
    } catch (HttpRefusal e) {
      if (e.status() != 422) {
        throw e;
      }
      return Answer.json(400, error(null, PARSE_ERROR, String.valueOf(e.getMessage())));
    }
    JsonNode id = message.get("id");
    if (!message.path("jsonrpc").asString("").equals("2.0")) {
      return Answer.json(400, error(id, INVALID_REQUEST, "jsonrpc: expected \"2.0\""));
    }
    if (id == null || !message.has("method")) {
      return Answer.empty(202); // a notification, or an answer: nothing to say
    }
    String method = message.path("method").asString("");
    ObjectNode params = message.get("params") instanceof ObjectNode object ? object : Json.object();
    return Answer.json(
        switch (method) {
          case "initialize" -> result(id, initialize(params));
          case "ping" -> result(id, Json.object());
          case "tools/list" -> result(id, tools());
          case "tools/call" -> call(id, params, request);
          default -> error(id, METHOD_NOT_FOUND, "no method '" + method + "'");
        });
  }

  private ObjectNode initialize(ObjectNode params) {
    String wanted = params.path("protocolVersion").asString("");
    ObjectNode result = Json.object();
    result.put("protocolVersion", VERSIONS.contains(wanted) ? wanted : VERSION_LATEST);
    result.putObject("capabilities").putObject("tools");
    result.putObject("serverInfo").put("name", "varve").put("version", service.version());
    result.put(
        "instructions",
        "A store of conversations. A context is one conversation; its turns are read with"
            + " cxdb_get_turns, newest page first, older pages by before_turn_id.");
    return result;
  }

  private ObjectNode tools() {
    ObjectNode result = Json.object();
    ArrayNode tools = result.putArray("tools");
    McpTool.ALL.forEach(tool -> tools.add(tool.describe(tool.body().isPresent())));
    return result;
  }

  private ObjectNode call(JsonNode id, ObjectNode params, Request request) throws IOException {
    String name = params.path("name").asString("");
    McpTool tool =
        McpTool.ALL.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    if (tool == null) {
      return error(id, INVALID_PARAMS, "no tool '" + name + "'");
    }
    ObjectNode arguments =
        params.get("arguments") instanceof ObjectNode object ? object : Json.object();
    boolean failed = false;
    byte[] said;
    try {
      Answer answer = answer(tool, arguments, request);
      said = bytes(answer);
      failed = answer.status() >= 400;
    } catch (HttpRefusal | StoreException e) {
      failed = true;
      said = String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
    }
    ObjectNode result = Json.object();
    ObjectNode content = result.putArray("content").addObject().put("type", "text");
    content.put("text", new String(said, StandardCharsets.UTF_8));
    if (!failed && Json.read(said) instanceof ObjectNode object) {
      result.set("structuredContent", object);
    }
    return result(id, result.put("isError", failed));
  }

  private Answer answer(McpTool tool, ObjectNode arguments, Request request) throws IOException {
    Route route =
        all.get().stream()
            .filter(each -> each.doc().id().equals(tool.operation()))
            .findFirst()
            .orElseThrow(() -> new HttpRefusal(404, tool.name() + ": not here"));
    Map<String, String> params = new HashMap<>();
    Map<String, String> query = new HashMap<>();
    tool.put(arguments, params, query);
    byte[] body =
        tool.body()
            .map(make -> Json.bytes(make.of(arguments, service.clock().millis())))
            .orElse(new byte[0]);
    return answer(
        route,
        new Request(
            route.method(),
            params,
            query,
            request.headers(),
            request.client(),
            OptionalLong.of(body.length),
            new ByteArrayInputStream(body),
            request.memory()));
  }

  /// Answers a route for a client that was let in to this one.
  private Answer answer(Route route, Request request) throws IOException {
    long startNanos = System.nanoTime();
    Throwable wrong = null;
    Answer answer;
    try {
      if (route.access() != Route.Access.READ) { // that was asked for and counted already
        Doorkeeper.admit(route.access(), request.client().principal());
      }
      answer = route.handler().answer(request);
    } catch (HttpRefusal | StoreException e) {
      wrong = e;
      answer = Errors.of(e, false);
    }
    Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
    ledger.answered(route, request.client(), route.path(), answer.status(), taken, wrong);
    return answer;
  }

  /// An agent reads all of an answer, so one that is larger than any agent reads is a mistake.
  private static void requireShort(int sizeBytes) {
    if (sizeBytes > ANSWER_BYTES_MAX) {
      throw new StoreException.TooLarge(
          "answer of a tool (ask for fewer turns)", sizeBytes, ANSWER_BYTES_MAX);
    }
  }

  private static byte[] bytes(Answer answer) throws IOException {
    return switch (answer.body()) {
      case Answer.Body.None() -> new byte[0];
      case Answer.Body.Whole(_, byte[] bytes) -> bytes;
      case Answer.Body.Streamed(_, _, Answer.Writing writing) -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writing.to(new CountedOutput(out, _ -> requireShort(out.size())));
        yield out.toByteArray();
      }
    };
  }

  private static ObjectNode result(JsonNode id, ObjectNode result) {
    ObjectNode message = Json.object().put("jsonrpc", "2.0");
    message.set("id", id);
    message.set("result", result);
    return message;
  }

  private static ObjectNode error(
      @org.jspecify.annotations.Nullable JsonNode id, int code, String text) {
    ObjectNode message = Json.object().put("jsonrpc", "2.0");
    if (id == null) {
      message.putNull("id");
    } else {
      message.set("id", id);
    }
    message.putObject("error").put("code", code).put("message", text);
    return message;
  }
}
