// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A tool of the MCP endpoint: a route under another name, with arguments instead of path, query
/// and body.
///
/// @param operation the route's id
/// @param body how the arguments become the route's body; empty if it has none
record McpTool(
    String name, String description, String operation, List<Arg> args, Optional<Body> body) {

  /// @param name as the route calls it in its path or query, or as its body does
  /// @param type of JSON Schema; an id is a string and may come as a number
  record Arg(String name, String type, boolean required, String meaning) {}

  /// Makes a route's body of the arguments.
  interface Body {
    ObjectNode of(ObjectNode arguments, long nowUnixMs);
  }

  private static final Arg CONTEXT = new Arg("context_id", "string", true, "the context's number");
  private static final Arg LIMIT = new Arg("limit", "integer", false, "how many at most");
  private static final Arg KEY =
      new Arg(
          "idempotency_key",
          "string",
          false,
          "makes it safe to try again after a broken connection");

  static final List<McpTool> ALL =
      List.of(
          reading(
              "cxdb_list_contexts",
              "Lists contexts (conversations), the most recently active first.",
              "listContexts",
              LIMIT,
              new Arg("tag", "string", false, "only those of this client tag")),
          reading(
              "cxdb_search",
              "Finds contexts by what is known of them, with CQL: title ~= \"fix\" AND created >"
                  + " \"-7d\".",
              "searchContexts",
              new Arg("q", "string", true, "the query"),
              LIMIT),
          reading(
              "cxdb_get_context",
              "Tells of one context and where it points.",
              "getContext",
              CONTEXT),
          reading(
              "cxdb_get_turns",
              "Reads turns of a context, oldest first: the last ones, or those before a turn.",
              "listTurns",
              CONTEXT,
              LIMIT,
              new Arg("before_turn_id", "string", false, "only turns older than this one"),
              new Arg("view", "string", false, "typed, raw or both")),
          reading(
              "cxdb_get_provenance", "Tells where a context comes from.", "getProvenance", CONTEXT),
          new McpTool(
              "cxdb_create_context",
              "Makes a context, empty or as a fork of a turn.",
              "createContext",
              List.of(new Arg("base_turn_id", "string", false, "the turn to fork")),
              Optional.of((arguments, _) -> arguments)),
          new McpTool(
              "cxdb_append_message",
              "Appends what somebody said to a context, as a cxdb.ConversationItem.",
              "appendTurn",
              List.of(
                  CONTEXT,
                  new Arg("role", "string", true, "user, assistant or system"),
                  new Arg("text", "string", true, "what was said"),
                  KEY),
              Optional.of(McpTool::message)),
          new McpTool(
              "cxdb_append_turn",
              "Appends a turn of any type to a context.",
              "appendTurn",
              List.of(
                  CONTEXT,
                  new Arg("type_id", "string", true, "what the data is"),
                  new Arg("type_version", "integer", true, "its version"),
                  new Arg("data", "object", true, "the payload, by the type's field names"),
                  new Arg("parent_turn_id", "string", false, "else the head of the context"),
                  KEY),
              Optional.of((arguments, _) -> arguments)));

  private static McpTool reading(String name, String description, String operation, Arg... args) {
    return new McpTool(name, description, operation, List.of(args), Optional.empty());
  }

  /// The tags are those of cxdb's type: the item's kind, status, time, and under a tag of its own
  /// what was said.
  private static ObjectNode message(ObjectNode arguments, long nowUnixMs) {
    String text = arguments.path("text").asString("");
    ObjectNode data = Json.object();
    switch (arguments.path("role").asString("")) {
      case "user" -> {
        data.put("1", "user_input").put("2", "complete").put("3", nowUnixMs);
        data.putObject("10").put("1", text);
      }
      case "assistant" -> {
        data.put("1", "assistant_turn").put("2", "complete").put("3", nowUnixMs);
        data.putObject("11").put("1", text);
      }
      case "system" -> {
        data.put("1", "system").put("2", "complete").put("3", nowUnixMs);
        data.putObject("12").put("1", "info").put("3", text);
      }
      default -> throw HttpRefusal.invalid("role: expected user, assistant or system");
    }
    ObjectNode body = Json.object().put("type_id", "cxdb.ConversationItem").put("type_version", 3);
    body.set("data", data);
    JsonNode key = arguments.get("idempotency_key");
    if (key != null) {
      body.set("idempotency_key", key);
    }
    return body;
  }

  ObjectNode describe(boolean writes) {
    ObjectNode tool = Json.object().put("name", name).put("description", description);
    ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.putArray("required");
    for (Arg arg : args) {
      properties.putObject(arg.name()).put("type", arg.type()).put("description", arg.meaning());
      if (arg.required()) {
        required.add(arg.name());
      }
    }
    schema.put("additionalProperties", false);
    tool.putObject("annotations")
        .put("readOnlyHint", !writes)
        .put("destructiveHint", false)
        .put("openWorldHint", false);
    return tool;
  }

  /// The arguments, as far as they are for the route's path or query.
  void put(ObjectNode arguments, Map<String, String> params, Map<String, String> query) {
    for (Map.Entry<String, JsonNode> given : arguments.properties()) {
      Arg arg =
          args.stream()
              .filter(each -> each.name().equals(given.getKey()))
              .findFirst()
              .orElseThrow(() -> HttpRefusal.invalid(given.getKey() + ": no such argument"));
      if (arg.name().equals("context_id")) {
        params.put("id", given.getValue().asString(""));
      } else if (body.isEmpty()) {
        query.put(arg.name(), given.getValue().asString(""));
      }
    }
    for (Arg arg : args) {
      if (arg.required() && !arguments.hasNonNull(arg.name())) {
        throw HttpRefusal.invalid(arg.name() + ": expected, and not there");
      }
    }
  }
}
