// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.server.files.FileViews;
import java.util.List;

/// The files as they were at a turn.
record FileRoutes(Store store, FileViews files) {

  private static final Route.Param PATH =
      new Route.Param("path", "string", "the folder; without it the root");

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
                    Ids.PARAM)
                .gives("FolderOrChanges"),
            this::list),
        Route.get(
            "/v1/turns/{id}/fs/{path...}",
            Route.Doc.of("getFile", "A file as it was at a turn; of a folder, what is in it.")
                .params(
                    new Route.Param("format", "string", "how the file is answered", "json"),
                    Ids.PARAM)
                .answers(Answer.OCTETS, 200, 206, 304),
            this::file));
  }

  private Answer list(Request request) {
    TurnId turn = TurnId.parse(request.param("id"));
    var ids = Ids.of(request).format();
    if (request.query("since").isPresent()) {
      TurnId since = TurnId.parse(request.query("since").orElseThrow());
      return Answer.largeJson(files.difference(since, turn, ids));
    }
    return Answer.largeJson(
        request.flag("recursive")
            ? files.whole(turn, ids)
            : files.listing(turn, request.query("path").orElse(""), ids));
  }

  private Answer file(Request request) {
    TurnId turn = TurnId.parse(request.param("id"));
    var ids = Ids.of(request).format();
    String path = request.param("path");
    switch (request.query("format").orElse("")) {
      case "json" -> {
        return Answer.largeJson(files.json(turn, path, ids));
      }
      case "" -> {}
      default -> throw HttpRefusal.invalid("format: expected json");
    }
    return switch (files.at(turn, path, ids)) {
      case FileViews.Found.Folder(var listing) -> Answer.json(listing);
      case FileViews.Found.Content(BlobHash hash, long _, String mediaType, String mode) ->
          content(request, hash, mediaType, mode);
    };
  }

  /// Files are what others wrote: a browser may show them, but not run what is in them.
  private Answer content(Request request, BlobHash hash, String mediaType, String mode) {
    String tag = Ranges.tag(hash);
    Answer answer =
        Ranges.tagMatches(request.header("If-None-Match"), tag)
            ? Answer.empty(304)
            : Ranges.answer(request, store, hash, mediaType);
    return answer
        .with("ETag", tag)
        .with("X-Fs-Hash", hash.toString())
        .with("X-Fs-Mode", mode)
        .with("X-Content-Type-Options", "nosniff")
        .with("Content-Security-Policy", "sandbox; default-src 'none'");
  }
}
