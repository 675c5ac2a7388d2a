// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.JsonMembers;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes that read and store blobs by their hash. Answers may be cached for ever, because a
/// hash never names other bytes.
record BlobRoutes(Store store, HttpLimits limits) {

  /// A blob of at most this size is missing, too, if it cannot be read.
  private static final long READ_BYTES_MAX = 16 << 20;

  /// The most bytes that one request for missing blobs makes the service read.
  private static final long READ_TOGETHER_BYTES_MAX = 256 << 20;

  /// The space of one hash in the body of `POST /v1/blobs/missing`: the hash, quotes, a comma and
  /// some blanks.
  private static final int BYTES_PER_HASH = 80;

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/blobs/{hash}",
            Route.Doc.of("getBlob", "The bytes of a blob. Takes Range and If-None-Match.")
                .answers(HttpAnswer.OCTETS, 200, 206, 304),
            this::get),
        Route.write(
            "PUT",
            "/v1/blobs/{hash}",
            Route.Doc.of("putBlob", "Stores a blob if its bytes have this hash.")
                .body(HttpAnswer.OCTETS)
                .gives("StoredBlob", 201, 200),
            this::put),
        new Route(
            "POST",
            "/v1/blobs/missing",
            Route.Access.READ,
            Route.Doc.of(
                    "missingBlobs", "Which of some blobs are not here: what a sender need send.")
                .takes("Hashes")
                .gives("MissingBlobs"),
            this::missing));
  }

  private HttpAnswer get(HttpRequest request) {
    BlobHash hash = BlobHash.parse(request.param("hash"));
    if (ByteRanges.tagMatches(request.header("If-None-Match"), ByteRanges.tag(hash))) {
      if (!store.has(hash)) {
        throw new StoreException.NotFound("blob", hash.toString());
      }
      return cached(HttpAnswer.empty(304), ByteRanges.tag(hash));
    }
    return cached(ByteRanges.answer(request, store, hash, HttpAnswer.OCTETS), ByteRanges.tag(hash));
  }

  private static HttpAnswer cached(HttpAnswer answer, String tag) {
    return answer
        .with("ETag", tag)
        .with("Accept-Ranges", "bytes")
        .with("Cache-Control", "private, max-age=31536000, immutable");
  }

  /// Stores a blob while its body arrives. The blob exists once the whole body is there and has the
  /// expected hash.
  private HttpAnswer put(HttpRequest request) throws IOException {
    BlobHash hash = BlobHash.parse(request.param("hash"));
    if (request.bodySizeBytes().orElse(0) > StoreLimits.BLOB_BYTES) {
      throw HttpRefusal.tooLarge(
          "blob", request.bodySizeBytes().getAsLong(), StoreLimits.BLOB_BYTES);
    }
    boolean wasNew = store.putWithOutcome(request.body(), hash).isNew();
    return HttpAnswer.json(
        wasNew ? 201 : 200,
        JsonTrees.object()
            .put("hash", hash.toString())
            .put("was_new", wasNew)
            .put("size_bytes", store.sizeBytes(hash)));
  }

  private HttpAnswer missing(HttpRequest request) {
    ObjectNode body = JsonTrees.readObject(request.read(limits.sizes().hashes() * BYTES_PER_HASH));
    if (!(body.get("hashes") instanceof ArrayNode hashes)) {
      throw JsonMembers.mismatch("hashes", "an array of hashes", body.get("hashes"));
    }
    if (hashes.size() > limits.sizes().hashes()) {
      throw HttpRefusal.tooLarge("hashes", hashes.size(), limits.sizes().hashes());
    }
    Set<BlobHash> missing = new LinkedHashSet<>();
    long left = READ_TOGETHER_BYTES_MAX;
    for (JsonNode hash : hashes) {
      if (!hash.isString()) {
        throw JsonMembers.mismatch("hashes", "strings", hash);
      }
      BlobHash wanted = BlobHash.parse(hash.stringValue());
      if (!store.isReadable(wanted, Math.min(READ_BYTES_MAX, left))) {
        missing.add(wanted);
      } else {
        left -= Math.min(left, store.sizeBytes(wanted));
      }
    }
    ObjectNode answer = JsonTrees.object();
    ArrayNode array = answer.putArray("missing");
    missing.forEach(hash -> array.add(hash.toString()));
    return HttpAnswer.json(answer);
  }
}
