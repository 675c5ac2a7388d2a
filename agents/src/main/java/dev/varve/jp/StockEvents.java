// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static dev.varve.jp.StockShapes.fields;
import static dev.varve.jp.StockShapes.option;
import static dev.varve.jp.StockShapes.orDefault;
import static dev.varve.jp.StockShapes.required;

import dev.varve.jp.StockShapes.Fields;
import dev.varve.jp.StockShapes.Leaf;
import dev.varve.jp.StockShapes.ListOf;
import dev.varve.jp.StockShapes.Shape;
import dev.varve.jp.StockShapes.Tagged;
import dev.varve.jp.StockShapes.Word;
import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// Which events JP as released reads, kind by kind; what a conversation's metadata and
/// configuration must say.
final class StockEvents {

  private static final Shape SOURCE =
      new Tagged(
          "source",
          Map.of(
              "tool", fields("name", required(Leaf.TEXT)),
              "assistant", fields(),
              "user", fields(),
              "other", fields("name", required(Leaf.TEXT))));

  private static final Shape ANSWER_TYPE =
      new Tagged(
          "type",
          Map.of(
              "boolean",
              fields(),
              "text",
              fields(),
              "select",
              fields(
                  "options",
                  required(
                      new ListOf(
                          fields(
                              "value", required(Leaf.ANY), "description", option(Leaf.TEXT)))))));

  private static final Shape TOOL_CALL_POLICY =
      new Tagged(
          "policy",
          Map.of(
              "strip", fields("request", required(Leaf.FLAG), "response", required(Leaf.FLAG)),
              "omit", fields()));

  /// Members besides time, type and metadata.
  private static final Map<String, Fields> KINDS =
      Map.of(
          "turn_start",
          fields(),
          "chat_request",
          fields(
              "content", required(Leaf.TEXT),
              "schema", option(Leaf.MAP),
              "author", option(Leaf.TEXT)),
          "tool_call_request",
          fields(
              "id", required(Leaf.TEXT),
              "name", required(Leaf.TEXT),
              "arguments", orDefault(Leaf.MAP)),
          "tool_call_response",
          fields(
              "id", required(Leaf.TEXT),
              "content", required(Leaf.TEXT),
              "is_error", required(Leaf.FLAG)),
          "inquiry_request",
          fields(
              "id", required(Leaf.TEXT),
              "source", required(SOURCE),
              "question",
                  required(
                      fields(
                          "text", required(Leaf.TEXT),
                          "answer_type", required(ANSWER_TYPE),
                          "default", option(Leaf.ANY)))),
          "inquiry_response",
          fields("id", required(Leaf.TEXT), "answer", required(Leaf.ANY)));

  private static final Fields COMPACTION =
      fields(
          "timestamp", required(Leaf.TIME),
          "from_turn", required(Leaf.COUNT),
          "to_turn", required(Leaf.COUNT),
          "summary", option(fields("summary", required(Leaf.TEXT))),
          "reasoning", option(new Word("strip")),
          "tool_calls", option(TOOL_CALL_POLICY));

  private static final Fields METADATA =
      fields(
          "title", option(Leaf.TEXT),
          "last_activated_at", required(Leaf.TIME),
          "pinned_at", option(Leaf.TIME),
          "archived_at", option(Leaf.TIME),
          "expires_at", option(Leaf.TIME),
          "labels", orDefault(Leaf.TEXTS));

  /// Of every event.
  private static final Fields COMMON =
      fields("timestamp", required(Leaf.TIME), "metadata", orDefault(Leaf.MAP));

  private static final Set<String> COMMON_NAMES = Set.of("timestamp", "type", "metadata");

  private StockEvents() {}

  /// Looks at `metadata.json`. The member `local` of old means nothing any more.
  static void metadata(StockShapes shapes) {
    shapes.members(0, "metadata", METADATA, Set.of("local"));
  }

  /// Looks at one event. What is of no known kind JP keeps as it is.
  static void event(JsonText text, int event, StockShapes shapes) {
    OptionalInt type = shapes.last(event, "type");
    String kind = type.isEmpty() ? "" : text.text(type.getAsInt()).orElse("");
    switch (kind) {
      case "config_delta" -> delta(text, event, shapes);
      case "compaction" -> shapes.members(event, "compaction", COMPACTION, Set.of("type"));
      case "chat_response" -> {
        common(event, shapes);
        response(text, event, shapes);
      }
      default -> {
        Fields fields = KINDS.get(kind);
        if (fields != null) {
          common(event, shapes);
          shapes.members(event, kind, fields, COMMON_NAMES);
        }
      }
    }
  }

  private static void common(int event, StockShapes shapes) {
    COMMON
        .members()
        .forEach(
            (name, field) ->
                shapes
                    .last(event, name)
                    .ifPresent(found -> shapes.look(found, name, field.shape())));
  }

  /// A message, else reasoning, else data: JP takes the first that it can read.
  private static void response(JsonText text, int event, StockShapes shapes) {
    for (String name : List.of("message", "reasoning", "data")) {
      OptionalInt found = shapes.last(event, name);
      Leaf leaf = name.equals("data") ? Leaf.ANY : Leaf.TEXT;
      if (found.isPresent() && (leaf == Leaf.ANY || text.is(found.getAsInt(), JsonKind.STRING))) {
        shapes.members(event, "chat_response", fields(name, required(leaf)), COMMON_NAMES);
        return;
      }
    }
    shapes.wrong().add(text.position(event) + ": no message, reasoning or data");
  }

  private static void delta(JsonText text, int event, StockShapes shapes) {
    boolean timed =
        shapes.last(event, "timestamp").stream()
            .anyMatch(time -> text.text(time).filter(StockShapes::isTime).isPresent());
    if (!timed) {
      shapes.dropped().add(text.position(event) + ": timestamp: no time; JP takes its own");
    }
    boolean configures =
        shapes.last(event, "delta").stream().anyMatch(value -> text.is(value, JsonKind.OBJECT));
    if (!configures) {
      shapes.dropped().add(text.position(event) + ": no delta: read as an empty configuration");
    }
  }

  /// Why JP refuses a base configuration; empty if it does not. Looks at what JP has no default
  /// for: the model, and whether tools may run. What else a configuration may say changes with JP,
  /// which forgives it.
  static List<String> configuration(JsonText text, int config, StockShapes shapes) {
    if (!text.is(config, JsonKind.OBJECT)) {
      return List.of("no object, so JP knows no model");
    }
    int model = path(shapes, config, "assistant", "model", "id");
    boolean named =
        model >= 0
            && (text.is(model, JsonKind.STRING)
                || path(shapes, model, "provider") >= 0 && path(shapes, model, "name") >= 0);
    if (!named) {
      return List.of("no assistant.model.id");
    }
    return path(shapes, config, "conversation", "tools", "*", "run") < 0
        ? List.of("no conversation.tools.*.run")
        : List.of();
  }

  private static int path(StockShapes shapes, int value, String... names) {
    int at = value;
    for (String name : names) {
      at = at < 0 ? at : shapes.last(at, name).orElse(-1);
    }
    return at;
  }
}
