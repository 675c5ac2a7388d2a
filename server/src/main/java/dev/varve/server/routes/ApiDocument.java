// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.server.http.ErrorAnswers;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import dev.varve.server.http.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The routes as an OpenAPI 3.1 document. The document is made from the routes, so that the two
/// cannot disagree.
final class ApiDocument {

  private static final Pattern NAME = Pattern.compile("\\{(\\w+)(\\.\\.\\.)?}");

  private static final JsonNode INTEGER = JsonNodeFactory.instance.stringNode("integer");

  /// The schemas of all bodies, by name.
  private static final ObjectNode SCHEMAS = schemas();

  private ApiDocument() {}

  private static ObjectNode schemas() {
    try (InputStream in = ApiDocument.class.getResourceAsStream("schemas.json")) {
      if (in == null) {
        throw new AssertionError("schemas.json is part of the program");
      }
      return JsonTrees.readObject(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ObjectNode of(List<Route> routes, String version) {
    ObjectNode document = JsonTrees.object();
    document.put("openapi", "3.1.0");
    ObjectNode info = document.putObject("info");
    info.put("title", "Varve").put("version", version);
    info.put(
        "description",
        "A content-addressed store for the conversations of AI agents: contexts point at turns,"
            + " turns have payloads, payloads are blobs. Ids are strings of digits, or numbers with"
            + " u64_format=number.");
    info.putObject("license").put("name", "Apache-2.0").put("identifier", "Apache-2.0");
    document.putArray("servers").addObject().put("url", "/");
    ObjectNode paths = document.putObject("paths");
    for (Route route : routes) {
      String path = NAME.matcher(route.path()).replaceAll("{$1}");
      ObjectNode item = paths.get(path) instanceof ObjectNode there ? there : paths.putObject(path);
      operation(item.putObject(route.method().toLowerCase(Locale.ROOT)), route);
    }
    components(document.putObject("components"));
    nameWidths(document);
    return document;
  }

  /// Says of every whole number that it may have 64 bits. Generators of clients take 32 bits where
  /// nothing is said, and a time in milliseconds has more.
  private static void nameWidths(JsonNode node) {
    if (node instanceof ObjectNode schema && isWholeNumber(schema.path("type"))) {
      schema.put("format", "int64");
    }
    node.forEach(ApiDocument::nameWidths);
  }

  private static boolean isWholeNumber(JsonNode type) {
    return INTEGER.equals(type) || type.isArray() && type.valueStream().anyMatch(INTEGER::equals);
  }

  private static void operation(ObjectNode operation, Route route) {
    operation.put("operationId", route.doc().id()).put("summary", route.doc().summary());
    ArrayNode tags = operation.putArray("tags");
    List<String> segments = Router.split(route.path());
    tags.add(segments.size() > 1 && segments.getFirst().equals("v1") ? segments.get(1) : "service");
    ArrayNode parameters = operation.putArray("parameters");
    Matcher names = NAME.matcher(route.path());
    while (names.find()) {
      parameter(parameters, "path", names.group(1), "", true).put("type", "string");
    }
    for (Route.Param param : route.doc().params()) {
      ObjectNode schema = parameter(parameters, "query", param.name(), param.meaning(), false);
      schema.put("type", param.type());
      if (param.choices().length > 0) {
        ArrayNode choices = schema.putArray("enum");
        for (String choice : param.choices()) {
          choices.add(choice);
        }
      }
    }
    if (!route.doc().body().isEmpty()) {
      ObjectNode body = operation.putObject("requestBody");
      body.put("required", !route.doc().id().startsWith("createContext"));
      ObjectNode content = body.putObject("content").putObject(route.doc().body());
      schema(content, route.doc().body(), route.doc().takes());
    }
    responses(operation.putObject("responses"), route);
    if (route.access() != Route.Access.OPEN) {
      ArrayNode security = operation.putArray("security");
      security.addObject().putArray("token").add(route.access().name().toLowerCase(Locale.ROOT));
      security.addObject(); // a service without tokens
    }
  }

  private static ObjectNode parameter(
      ArrayNode parameters, String in, String name, String meaning, boolean required) {
    ObjectNode parameter = parameters.addObject();
    parameter.put("name", name).put("in", in);
    if (required) {
      parameter.put("required", true);
    }
    if (!meaning.isEmpty()) {
      parameter.put("description", meaning);
    }
    return parameter.putObject("schema");
  }

  private static void responses(ObjectNode responses, Route route) {
    Route.Doc doc = route.doc();
    for (int status : new TreeSet<>(Arrays.stream(doc.answers()).boxed().toList())) {
      ObjectNode response = responses.putObject(Integer.toString(status));
      response.put("description", status == 304 || status == 204 ? "nothing new" : "done");
      if (status != 304 && status != 204 && status != 202) {
        ObjectNode content = response.putObject("content");
        schema(content.putObject(doc.answer()), doc.answer(), doc.gives());
        if (doc.id().equals("getFile")) {
          schema(content.putObject(HttpAnswer.JSON), HttpAnswer.JSON, "FileOrFolder");
        }
      }
    }
    if (doc.refuses().isEmpty()) {
      responses.putObject("default").put("$ref", "#/components/responses/refusal");
    } else {
      ObjectNode refusal = responses.putObject("default");
      refusal.put("description", "Refused.");
      refused(refusal, doc.refuses());
    }
  }

  private static void schema(ObjectNode content, String type, String name) {
    ObjectNode schema = content.putObject("schema");
    if (!name.isEmpty()) {
      reference(schema, name);
    } else if (type.equals(HttpAnswer.JSON)) {
      throw new IllegalArgumentException("JSON without a schema");
    } else if (!type.equals(HttpAnswer.OCTETS)) {
      schema.put("type", "string");
    }
  }

  private static void reference(ObjectNode schema, String name) {
    if (!SCHEMAS.has(name)) {
      throw new IllegalArgumentException("no schema " + name);
    }
    schema.put("$ref", "#/components/schemas/" + name);
  }

  /// Describes the content of a refusal.
  ///
  /// @param other the schema of a refusal that this route may give beside the usual one; empty for
  ///   none
  private static void refused(ObjectNode response, String other) {
    ObjectNode content = response.putObject("content");
    ObjectNode json = content.putObject(HttpAnswer.JSON).putObject("schema");
    if (other.isEmpty()) {
      reference(json, "Refusal");
    } else {
      ArrayNode either = json.putArray("anyOf");
      reference(either.addObject(), "Refusal");
      reference(either.addObject(), other);
    }
    reference(content.putObject(ErrorAnswers.PROBLEM).putObject("schema"), "Refusal");
  }

  private static void components(ObjectNode components) {
    ObjectNode refusal = components.putObject("responses").putObject("refusal");
    refusal.put("description", "Refused. The members beside `error` are those of RFC 9457.");
    refused(refusal, "");
    components.set("schemas", SCHEMAS.deepCopy());
    ObjectNode token = components.putObject("securitySchemes").putObject("token");
    token.put("type", "http").put("scheme", "bearer");
    token.put("description", "Made by `varve token create`. Scopes: read, write, admin, restore.");
  }
}
