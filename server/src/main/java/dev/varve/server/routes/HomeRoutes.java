// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// The page about the interface for programs, and the OpenAPI document.
record HomeRoutes(String version, Supplier<List<Route>> all) {

  private static final String HTML = "text/html; charset=utf-8";

  private static final String STYLE =
      "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;"
          + "color:#222;background:#fdfdfb}code{background:#eee;padding:.1em .3em}"
          + "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1a}"
          + "code{background:#333}a{color:#8bf}}";

  @SuppressWarnings("InlineFormatString") // the page is readable as a page
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Varve</title>
      <style>%s</style>
      </head>
      <body>
      <h1>Varve %s</h1>
      <p>This is a store for the conversations of AI agents, served over HTTP.</p>
      <ul>
      <li><a href="./">the workbench</a> shows them</li>
      <li><a href="openapi.json">openapi.json</a> says what can be asked</li>
      <li><a href="v1/contexts">v1/contexts</a> lists the contexts</li>
      <li><a href="v1/metrics">v1/metrics</a> and <a href="metrics">metrics</a> show how it is doing</li>
      <li><a href="healthz">healthz</a> says whether it is well</li>
      <li><code>mcp</code> is for agents (Model Context Protocol, streamable HTTP)</li>
      </ul>
      </body>
      </html>
      """;

  List<Route> routes() {
    return List.of(
        Route.get(
                "/api",
                Route.Doc.of("home", "A page with links to what programs can ask.")
                    .answers(HTML, 200),
                _ -> home())
            .open(),
        Route.get(
                "/openapi.json",
                Route.Doc.of("apiDocument", "This document.").gives("Document"),
                _ -> HttpAnswer.json(document()))
            .open());
  }

  ObjectNode document() {
    return ApiDocument.of(all.get(), version);
  }

  private HttpAnswer home() {
    String safe = version.replaceAll("[^\\w.+-]", "");
    return HttpAnswer.text(200, HTML, PAGE.formatted(STYLE, safe))
        .with(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'sha256-"
                + hash(STYLE)
                + "'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  }

  private static String hash(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
