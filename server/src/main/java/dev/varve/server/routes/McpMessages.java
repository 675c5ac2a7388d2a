// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.StoreException;
import dev.varve.server.http.AccessLog;
import dev.varve.server.http.Authentication;
import dev.varve.server.http.ErrorAnswers;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.HttpRequest.Client;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.MeteredOutput;
import dev.varve.server.http.Route;
import dev.varve.server.limits.MemoryBudget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The answers to messages of the Model Context Protocol (JSON-RPC 2.0), whatever carries the
/// messages. Every message is answered by itself; nothing is sent unasked.
///
/// @param all every route, because each tool calls a route
public record McpMessages(HttpService service, Supplier<List<Route>> all, AccessLog accessLog) {

  /// The sender of a message.
  ///
  /// @param client already admitted to read
  /// @param headers looks up a header of the request that carried the message
  /// @param memory the lease for bodies of routes
  public record Sender(
      Client client, Function<String, Optional<String>> headers, MemoryBudget.Lease memory) {

    static Sender of(HttpRequest request) {
      return new Sender(request.client(), request.headers(), request.memory());
    }
  }

  private static final String VERSION_LATEST = "2025-06-18";
  private static final Set<String> VERSIONS = Set.of("2024-11-05", "2025-03-26", VERSION_LATEST);

  private static final int ANSWER_BYTES_MAX = 4 << 20;

  private static final int PARSE_ERROR = -32700;
  private static final int INVALID_REQUEST = -32600;
  private static final int METHOD_NOT_FOUND = -32601;
  private static final int INVALID_PARAMS = -32602;
  private static final int INTERNAL_ERROR = -32603;

  /// The answer to bytes that are not a message.
  static ObjectNode unreadable(String problem) {
    return error(null, PARSE_ERROR, problem);
  }

  /// The answer to bytes that are not a message, as one line of JSON.
  public static byte[] unreadableLine(String problem) {
    return JsonTrees.bytes(unreadable(problem));
  }

  /// The answer to a message that could not be worked on, as one line of JSON; empty if the message
  /// expects no answer.
  public static Optional<byte[]> failure(byte[] message, String problem) {
    try {
      JsonNode id = JsonTrees.readObject(message).get("id");
      return id == null
          ? Optional.empty()
          : Optional.of(JsonTrees.bytes(error(id, INTERNAL_ERROR, problem)));
    } catch (HttpRefusal e) {
      return Optional.of(unreadableLine(String.valueOf(e.getMessage())));
    }
  }

  /// Answers bytes that should be a message.
  ///
  /// @return one line of JSON without its end; empty for a notification
  public Optional<byte[]> answer(byte[] message, Sender sender) throws IOException {
    try {
      return answer(JsonTrees.readObject(message), sender).map(JsonTrees::bytes);
    } catch (HttpRefusal e) {
      return Optional.of(unreadableLine(String.valueOf(e.getMessage())));
    }
  }

  /// Returns whether an answer says that the bytes were not a request of JSON-RPC.
  static boolean isMalformed(ObjectNode answer) {
    int code = answer.path("error").path("code").asInt(0);
    return code == PARSE_ERROR || code == INVALID_REQUEST;
  }

  /// The answer to a message; empty for a notification or a response, which have none.
  Optional<ObjectNode> answer(ObjectNode message, Sender sender) throws IOException {
    JsonNode id = message.get("id");
    if (!message.path("jsonrpc").asString("").equals("2.0")) {
      return Optional.of(error(id, INVALID_REQUEST, "jsonrpc: expected \"2.0\""));
    }
    if (id == null || !message.has("method")) {
      return Optional.empty();
    }
    String method = message.path("method").asString("");
    ObjectNode params =
        message.get("params") instanceof ObjectNode object ? object : JsonTrees.object();
    return Optional.of(
        switch (method) {
          case "initialize" -> result(id, initialize(params));
          case "ping" -> result(id, JsonTrees.object());
          case "tools/list" -> result(id, tools());
          case "tools/call" -> call(id, params, sender);
          default -> error(id, METHOD_NOT_FOUND, "no method '" + method + "'");
        });
  }

  private ObjectNode initialize(ObjectNode params) {
    String wanted = params.path("protocolVersion").asString("");
    ObjectNode result = JsonTrees.object();
    result.put("protocolVersion", VERSIONS.contains(wanted) ? wanted : VERSION_LATEST);
    result.putObject("capabilities").putObject("tools");
    result.putObject("serverInfo").put("name", "varve").put("version", service.version());
    result.put(
        "instructions",
        "A store of conversations. A context is one conversation; its turns are read with"
            + " varve_get_turns, newest page first, older pages by before_turn_id.");
    return result;
  }

  private ObjectNode tools() {
    ObjectNode result = JsonTrees.object();
    ArrayNode tools = result.putArray("tools");
    McpTool.ALL.forEach(tool -> tools.add(tool.describe(tool.body().isPresent())));
    return result;
  }

  private ObjectNode call(JsonNode id, ObjectNode params, Sender sender) throws IOException {
    String name = params.path("name").asString("");
    McpTool tool =
        McpTool.ALL.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    if (tool == null) {
      return error(id, INVALID_PARAMS, "no tool '" + name + "'");
    }
    ObjectNode arguments =
        params.get("arguments") instanceof ObjectNode object ? object : JsonTrees.object();
    boolean failed = false;
    byte[] said;
    try {
      HttpAnswer answer = answer(tool, arguments, sender);
      said = bytes(answer);
      failed = answer.status() >= 400;
    } catch (HttpRefusal | StoreException e) {
      failed = true;
      said = ErrorAnswers.shown(e).getBytes(StandardCharsets.UTF_8);
    }
    ObjectNode result = JsonTrees.object();
    ObjectNode content = result.putArray("content").addObject().put("type", "text");
    content.put("text", new String(said, StandardCharsets.UTF_8));
    return result(id, result.put("isError", failed));
  }

  private HttpAnswer answer(McpTool tool, ObjectNode arguments, Sender sender) throws IOException {
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
            .map(make -> JsonTrees.bytes(make.of(arguments, service.clock().millis())))
            .orElse(new byte[0]);
    return answer(
        route,
        new HttpRequest(
            route.method(),
            params,
            query,
            sender.headers(),
            sender.client(),
            OptionalLong.of(body.length),
            new ByteArrayInputStream(body),
            sender.memory()));
  }

  /// Calls a route for a client that was admitted to this one.
  private HttpAnswer answer(Route route, HttpRequest request) throws IOException {
    long startNanos = System.nanoTime();
    Throwable wrong = null;
    HttpAnswer answer;
    try {
      if (route.access() != Route.Access.READ) { // the read scope was checked and counted already
        Authentication.admit(route.access(), request.client().principal());
      }
      answer = route.handler().answer(request);
    } catch (HttpRefusal | StoreException e) {
      wrong = e;
      answer = ErrorAnswers.of(e, false);
    }
    Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
    AccessLog.Exchange exchange =
        new AccessLog.Exchange(route, request.client(), route.path(), answer.status(), taken);
    accessLog.answered(exchange, wrong);
    accessLog.note(exchange, 0, 0);
    return answer;
  }

  /// Refuses an answer that is larger than an agent could read.
  private static void requireShort(int sizeBytes) {
    if (sizeBytes > ANSWER_BYTES_MAX) {
      throw new StoreException.TooLarge(
          "answer of a tool (ask for fewer turns)", sizeBytes, ANSWER_BYTES_MAX);
    }
  }

  private static byte[] bytes(HttpAnswer answer) throws IOException {
    return switch (answer.body()) {
      case HttpAnswer.Body.None() -> new byte[0];
      case HttpAnswer.Body.Whole(_, byte[] bytes) -> bytes;
      case HttpAnswer.Body.Streamed(_, _, HttpAnswer.BodyWriter writing) -> {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writing.to(new MeteredOutput(out, _ -> requireShort(out.size())));
        yield out.toByteArray();
      }
    };
  }

  private static ObjectNode result(JsonNode id, ObjectNode result) {
    ObjectNode message = JsonTrees.object().put("jsonrpc", "2.0");
    message.set("id", id);
    message.set("result", result);
    return message;
  }

  private static ObjectNode error(@Nullable JsonNode id, int code, String text) {
    ObjectNode message = JsonTrees.object().put("jsonrpc", "2.0");
    if (id == null) {
      message.putNull("id");
    } else {
      message.set("id", id);
    }
    message.putObject("error").put("code", code).put("message", text);
    return message;
  }
}
