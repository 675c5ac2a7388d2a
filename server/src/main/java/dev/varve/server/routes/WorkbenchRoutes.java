// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.StoreException;
import dev.varve.server.access.Authenticator;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import dev.varve.server.workbench.PageFile;
import dev.varve.server.workbench.PageFiles;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The workbench at `/` and its files. Anybody may load them: they hold nothing of the store, and
/// what the page shows it asks for with the reader's token.
record WorkbenchRoutes(PageFiles files, Authenticator authenticator) {

  private static final int CODE_BYTES_MAX = 4_096;

  /// The page runs its own modules only, and text can never become markup: `require-trusted-types`
  /// makes the browser refuse every assignment of a text to `innerHTML` and its like.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none';"
          + " form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

  List<Route> routes() {
    return List.of(
        Route.get(
                "/",
                Route.Doc.of("workbench", "The workbench, a page for people.")
                    .answers("text/html; charset=utf-8", 200, 304),
                request -> file(request, "index.html"))
            .open(),
        Route.get(
                "/ui/{path...}",
                Route.Doc.of("workbenchFile", "A file of the workbench.")
                    .answers(HttpAnswer.OCTETS, 200, 304),
                request -> file(request, request.param("path")))
            .open(),
        new Route(
            "POST",
            "/ui/session",
            Route.Access.OPEN,
            Route.Doc.of("openPage", "Exchanges the one-time code of a link for a token.")
                .takes("PageCode")
                .gives("PageToken"),
            this::session));
  }

  private HttpAnswer session(HttpRequest request) {
    ObjectNode body = JsonTrees.readObject(request.read(CODE_BYTES_MAX));
    String code = body.path("code").asString("");
    String token =
        authenticator
            .redeem(code)
            .orElseThrow(() -> new HttpRefusal(401, "this code is not known, or was used"));
    return HttpAnswer.json(JsonTrees.object().put("token", token));
  }

  private HttpAnswer file(HttpRequest request, String path) {
    PageFile file =
        files.find(path).orElseThrow(() -> new StoreException.NotFound("workbench file", path));
    HttpAnswer answer =
        ByteRanges.tagMatches(request.header("If-None-Match"), file.tag())
            ? HttpAnswer.empty(304)
            : HttpAnswer.bytes(200, file.mediaType(), file.bytes());
    return answer
        .with("ETag", file.tag())
        .with(
            "Cache-Control",
            files.isLasting(path) ? "public, max-age=31536000, immutable" : "no-cache")
        .with("Content-Security-Policy", POLICY);
  }
}
