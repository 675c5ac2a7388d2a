// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.JsonTrees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A tool of the MCP endpoint: a route with arguments in place of path, query and body.
///
/// @param operation the id of the route
/// @param body makes the body of the route from the arguments; empty for a route without a body
record McpTool(
    String name, String description, String operation, List<Arg> args, Optional<BodyBuilder> body) {

  /// An argument of a tool.
  ///
  /// @param name the name of the same value in the route's path, query or body
  /// @param type of JSON Schema; an id is a string and may also be given as a number
  record Arg(String name, String type, boolean required, String meaning) {}

  /// Makes the body of a route from arguments.
  interface BodyBuilder {
    ObjectNode of(ObjectNode arguments, long nowUnixMs);
  }

  private static final String CXDB = "cxdb_";

  private static final Arg CONTEXT = new Arg("context_id", "string", true, "the context's number");
  private static final Arg LIMIT = new Arg("limit", "integer", false, "how many at most");
  private static final Arg KEY =
      new Arg(
          "idempotency_key",
          "string",
          false,
          "makes it safe to try again after a broken connection");

  private static final List<McpTool> TOOLS =
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
              "cxdb_search_contexts",
              "The same as the search tool, under the names that cxdb's gateway gives.",
              "searchContexts",
              new Arg("query", "string", true, "the query"),
              LIMIT),
          searching(
              "varve_recall",
              "Recalls what was said and decided in earlier conversations about a question.",
              "recallTurns",
              "the question, in plain words"),
          searching(
              "varve_fix",
              "Finds earlier cases of an error message, what was run after each, and what worked.",
              "fixTurns",
              "the error message"),
          searching(
              "varve_how",
              "Finds commands that worked in earlier conversations for a task.",
              "howTurns",
              "the task, in plain words"),
          reading(
              "varve_search_turns",
              "Finds turns by words and filters: \"pool exhausted\" tool:bash exit:!0 since:2w.",
              "searchTurns",
              new Arg("q", "string", true, "the query"),
              LIMIT,
              new Arg("cursor", "string", false, "the hits behind those of an earlier answer")),
          reading("cxdb_get_context", "Shows one context and its head.", "getContext", CONTEXT),
          reading(
              "cxdb_get_turns",
              "Reads turns of a context, oldest first: the last ones, or those before a turn.",
              "listTurns",
              CONTEXT,
              LIMIT,
              new Arg("before_turn_id", "string", false, "only turns older than this one"),
              new Arg("turn_id", "string", false, "this turn only, whole"),
              new Arg("view", "string", false, "typed, raw or both")),
          reading(
              "cxdb_get_provenance",
              "Shows the writer of a context and its origin.",
              "getProvenance",
              CONTEXT),
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
                  new Arg(
                      "data",
                      "object",
                      false,
                      "the payload, by the type's field names; this or payload_base64"),
                  new Arg("payload_base64", "string", false, "the payload's bytes"),
                  new Arg("parent_turn_id", "string", false, "else the head of the context"),
                  KEY),
              Optional.of((arguments, _) -> arguments)));

  /// Every tool under a name of Varve and, where cxdb has it, under the name that cxdb's clients
  /// know.
  static final List<McpTool> ALL = TOOLS.stream().flatMap(McpTool::underItsNames).toList();

  /// A tool that cxdb has not has one name.
  private Stream<McpTool> underItsNames() {
    return name.startsWith(CXDB) ? Stream.of(renamed(CXDB, "varve_"), this) : Stream.of(this);
  }

  private static McpTool searching(
      String name, String description, String operation, String meaning) {
    return reading(
        name,
        description,
        operation,
        new Arg("q", "string", true, meaning),
        new Arg("agent", "string", false, "only in conversations of this agent"),
        new Arg("project", "string", false, "only of this project: the name of its folder"),
        new Arg("since", "string", false, "only from then on: 12h, 7d, 2026-11-27"),
        LIMIT);
  }

  private McpTool renamed(String prefix, String newPrefix) {
    return new McpTool(
        newPrefix + name.substring(prefix.length()), description, operation, args, body);
  }

  private static McpTool reading(String name, String description, String operation, Arg... args) {
    return new McpTool(name, description, operation, List.of(args), Optional.empty());
  }

  /// A message as a cxdb.ConversationItem. The tags are those of the type: kind, status, time, and
  /// a tag of its own for the text of each kind.
  private static ObjectNode message(ObjectNode arguments, long nowUnixMs) {
    String text = arguments.path("text").asString("");
    ObjectNode data = JsonTrees.object();
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
    ObjectNode body =
        JsonTrees.object().put("type_id", "cxdb.ConversationItem").put("type_version", 3);
    body.set("data", data);
    JsonNode key = arguments.get("idempotency_key");
    if (key != null) {
      body.set("idempotency_key", key);
    }
    return body;
  }

  ObjectNode describe(boolean writes) {
    ObjectNode tool = JsonTrees.object().put("name", name).put("description", description);
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

  /// Moves the arguments that belong to the route's path or query.
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
        String name = arg.name().equals("query") ? "q" : arg.name();
        query.put(name, given.getValue().asString(""));
      }
    }
    for (Arg arg : args) {
      if (arg.required() && !arguments.hasNonNull(arg.name())) {
        throw HttpRefusal.invalid(arg.name() + ": expected, and not there");
      }
    }
  }
}
