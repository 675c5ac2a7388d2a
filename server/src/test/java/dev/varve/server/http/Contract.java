// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the API document promises, to hold real requests and answers against.
///
/// Schemas are closed here: a member that the document does not tell of is a fault, though clients
/// must bear with it.
final class Contract {

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private final JsonNode document;
  private final JsonNode closed;
  private final Set<String> held = new TreeSet<>();

  /// @param document as the service gives it
  Contract(JsonNode document) {
    this.document = document;
    this.closed = document.get("components").deepCopy();
    close(closed);
  }

  private static void close(JsonNode node) {
    node.forEach(Contract::close);
    if (node instanceof ObjectNode object
        && object.get("properties") instanceof ObjectNode
        && !object.has("additionalProperties")
        && !object.has("oneOf")) {
      object.put("additionalProperties", false);
    }
  }

  private JsonNode operation(String id) {
    for (JsonNode path : document.get("paths")) {
      for (JsonNode operation : path) {
        if (operation.get("operationId").stringValue().equals(id)) {
          return operation;
        }
      }
    }
    throw new AssertionError("no operation " + id);
  }

  /// The operations that answer JSON.
  Set<String> operations() {
    Set<String> all = new TreeSet<>();
    for (JsonNode path : document.get("paths")) {
      for (JsonNode operation : path) {
        boolean isJson =
            operation.get("responses").properties().stream()
                .filter(response -> !response.getKey().equals("default"))
                .anyMatch(response -> response.getValue().at("/content").has(HttpAnswer.JSON));
        if (isJson) {
          all.add(operation.get("operationId").stringValue());
        }
      }
    }
    return all;
  }

  /// The operations of which an answer was held against the document.
  Set<String> held() {
    return held;
  }

  /// What is wrong with an answer; empty if nothing is.
  List<String> check(String operation, int status, JsonNode body) {
    JsonNode responses = operation(operation).get("responses");
    JsonNode response = responses.get(Integer.toString(status));
    if (response == null && status < 400) {
      return List.of(operation + ": " + status + " is not told of");
    }
    if (response == null) {
      response = responses.get("default");
    } else {
      held.add(operation);
    }
    if (response.has("$ref")) {
      response = document.at(response.get("$ref").stringValue().substring(1));
    }
    return check(response.at("/content/application~1json/schema"), body);
  }

  /// What is wrong with the body of a request.
  List<String> checkRequest(String operation, JsonNode body) {
    return check(operation(operation).at("/requestBody/content/application~1json/schema"), body);
  }

  private List<String> check(JsonNode schema, JsonNode body) {
    ObjectNode whole = JsonTrees.object();
    for (Map.Entry<String, JsonNode> member : schema.properties()) {
      whole.set(member.getKey(), member.getValue());
    }
    whole.set("components", closed);
    return REGISTRY.getSchema(whole).validate(body).stream().map(Error::toString).toList();
  }
}
