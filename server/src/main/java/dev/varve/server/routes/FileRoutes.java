// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.server.files.FileRestores;
import dev.varve.server.files.FileViews;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.JsonMembers;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The routes that show the files attached to a turn.
record FileRoutes(Store store, FileViews files) {

  private static final Route.Param PATH =
      new Route.Param("path", "string", "the folder; without it the root");

  private static final Route.Param UNDO =
      new Route.Param(
          "undo", "boolean", "instead, an undo of the last restore in the turn's folder");

  private static final int AGREEMENT_BYTES_MAX = 4_096;

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/turns/{id}/fs",
            Route.Doc.of("listFiles", "What is in a folder, as it was at a turn.")
                .params(
                    PATH,
                    new Route.Param("recursive", "boolean", "everything below the root instead"),
                    new Route.Param(
                        "since", "string", "instead, what changed since this turn's files"),
                    JsonIds.PARAM)
                .gives("FolderOrChanges"),
            this::list),
        new Route(
            "POST",
            "/v1/turns/{id}/restore-plan",
            Route.Access.READ,
            Route.Doc.of(
                    "planRestore",
                    "What a restore of the files at a turn would change on this machine. Restores"
                        + " nothing; captures the files as they are, to compare with.")
                .params(UNDO)
                .gives("RestorePlan"),
            this::plan),
        new Route(
            "POST",
            "/v1/turns/{id}/restore",
            Route.Access.RESTORE,
            Route.Doc.of(
                    "restoreFiles",
                    "Restores the files at a turn to the folder on this machine from which they"
                        + " were taken. Refused if the plan_digest is no longer that of the plan,"
                        + " and unless the service was started with --allow-restore.")
                .params(UNDO)
                .takes("AgreedRestore")
                .gives("RestoreOutcome"),
            this::restore),
        Route.get(
            "/v1/turns/{id}/fs/{path...}",
            Route.Doc.of("getFile", "A file as it was at a turn; of a folder, what is in it.")
                .params(
                    new Route.Param(
                        "format",
                        "string",
                        "the form of the file; bytes by default",
                        "raw",
                        "json"),
                    JsonIds.PARAM)
                .answers(HttpAnswer.OCTETS, 200, 206, 304),
            this::file));
  }

  private HttpAnswer plan(HttpRequest request) {
    return json(files.restorePlan(TurnId.parse(request.param("id")), kind(request)));
  }

  private HttpAnswer restore(HttpRequest request) {
    if (!files.mayRestore()) {
      throw new HttpRefusal(
          403, "this service restores no files: it was started without --allow-restore");
    }
    ObjectNode body = JsonTrees.readObject(request.read(AGREEMENT_BYTES_MAX));
    BlobHash agreed = BlobHash.parse(JsonMembers.text(body, "plan_digest"));
    if (body.size() > 1) { // a wish that is not understood may be one that changes less
      throw HttpRefusal.invalid("body: expected plan_digest and nothing else");
    }
    return json(files.restore(TurnId.parse(request.param("id")), kind(request), agreed));
  }

  private static FileRestores.Kind kind(HttpRequest request) {
    return request.flag("undo") ? FileRestores.Kind.UNDO : FileRestores.Kind.RESTORE;
  }

  private static HttpAnswer json(String text) {
    return HttpAnswer.bytes(200, HttpAnswer.JSON, text.getBytes(StandardCharsets.UTF_8));
  }

  private HttpAnswer list(HttpRequest request) {
    TurnId turn = TurnId.parse(request.param("id"));
    var ids = JsonIds.of(request).format();
    if (request.query("since").isPresent()) {
      TurnId since = TurnId.parse(request.query("since").orElseThrow());
      return HttpAnswer.largeJson(files.difference(since, turn, ids));
    }
    return HttpAnswer.largeJson(
        request.flag("recursive")
            ? files.whole(turn, ids)
            : files.listing(turn, request.query("path").orElse(""), ids));
  }

  private HttpAnswer file(HttpRequest request) {
    TurnId turn = TurnId.parse(request.param("id"));
    var ids = JsonIds.of(request).format();
    String path = request.param("path");
    switch (request.query("format").orElse("")) {
      case "json" -> {
        return HttpAnswer.largeJson(files.json(turn, path, ids));
      }
      case "", "raw" -> {}
      default -> throw HttpRefusal.invalid("format: expected raw or json");
    }
    return switch (files.at(turn, path, ids)) {
      case FileViews.PathContent.FolderListing(var listing) -> HttpAnswer.json(listing);
      case FileViews.PathContent.FileContent(
              BlobHash hash,
              long _,
              String mediaType,
              String mode) ->
          content(request, hash, mediaType, mode);
    };
  }

  /// The content of a file. Files may come from untrusted writers: a browser may show a file and
  /// must not run it.
  private HttpAnswer content(HttpRequest request, BlobHash hash, String mediaType, String mode) {
    String tag = ByteRanges.tag(hash);
    HttpAnswer answer =
        ByteRanges.tagMatches(request.header("If-None-Match"), tag)
            ? HttpAnswer.empty(304)
            : ByteRanges.answer(request, store, hash, mediaType);
    return answer
        .with("ETag", tag)
        .with("X-Fs-Hash", hash.toString())
        .with("X-Fs-Mode", mode)
        .with("X-Content-Type-Options", "nosniff")
        .with("Content-Security-Policy", "sandbox; default-src 'none'");
  }
}
