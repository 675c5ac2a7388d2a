// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The store as tools for agents: Model Context Protocol over streamable HTTP, without sessions and
/// without a stream of events.
record McpRoutes(McpMessages messages, HttpLimits limits) {

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

  private HttpAnswer message(HttpRequest request) throws IOException {
    ObjectNode message;
    try {
      message = JsonTrees.readObject(request.read(limits.sizes().jsonBytes()));
    } catch (HttpRefusal e) {
      if (e.status() != 422) {
        throw e;
      }
      return HttpAnswer.json(400, McpMessages.unreadable(String.valueOf(e.getMessage())));
    }
    Optional<ObjectNode> answer = messages.answer(message, McpMessages.Sender.of(request));
    if (answer.isEmpty()) {
      return HttpAnswer.empty(202);
    }
    return HttpAnswer.json(McpMessages.isMalformed(answer.get()) ? 400 : 200, answer.get());
  }
}
