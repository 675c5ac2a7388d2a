// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.BlobHash;
import dev.varve.Limits;
import dev.varve.Store;
import dev.varve.StoreException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Blobs by their hash: raw bytes, in ranges too, cached for ever since a hash never means other
/// bytes.
record BlobRoutes(Store store, HttpLimits limits) {

  /// What a `POST /v1/blobs/missing` takes at most: each hash with quotes, comma and some blanks.
  private static final int BYTES_PER_HASH = 80;

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/blobs/{hash}",
            Route.Doc.of("getBlob", "The bytes of a blob. Takes Range and If-None-Match.")
                .answers(Answer.OCTETS, 200, 206, 304),
            this::get),
        Route.write(
            "PUT",
            "/v1/blobs/{hash}",
            Route.Doc.of("putBlob", "Stores a blob if its bytes have this hash.")
                .body(Answer.OCTETS)
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

  private Answer get(Request request) {
    BlobHash hash = BlobHash.parse(request.param("hash"));
    if (Ranges.tagMatches(request.header("If-None-Match"), Ranges.tag(hash))) {
      if (!store.has(hash)) {
        throw new StoreException.NotFound("blob", hash.toString());
      }
      return cached(Answer.empty(304), Ranges.tag(hash));
    }
    return cached(Ranges.answer(request, store, hash, Answer.OCTETS), Ranges.tag(hash));
  }

  private static Answer cached(Answer answer, String tag) {
    return answer
        .with("ETag", tag)
        .with("Accept-Ranges", "bytes")
        .with("Cache-Control", "private, max-age=31536000, immutable");
  }

  /// The body is hashed and stored as it comes; it counts once all of it is there and has the hash.
  private Answer put(Request request) throws IOException {
    BlobHash hash = BlobHash.parse(request.param("hash"));
    if (request.bodySizeBytes().orElse(0) > Limits.BLOB_BYTES) {
      throw HttpRefusal.tooLarge("blob", request.bodySizeBytes().getAsLong(), Limits.BLOB_BYTES);
    }
    boolean wasNew = !store.has(hash);
    store.put(request.body(), hash);
    return Answer.json(
        wasNew ? 201 : 200,
        Json.object()
            .put("hash", hash.toString())
            .put("was_new", wasNew)
            .put("size_bytes", store.sizeBytes(hash)));
  }

  private Answer missing(Request request) {
    ObjectNode body = Json.readObject(request.read(limits.hashes() * BYTES_PER_HASH));
    if (!(body.get("hashes") instanceof ArrayNode hashes)) {
      throw HttpRefusal.invalid("hashes: expected an array of hashes");
    }
    if (hashes.size() > limits.hashes()) {
      throw HttpRefusal.tooLarge("hashes", hashes.size(), limits.hashes());
    }
    Set<BlobHash> missing = new LinkedHashSet<>();
    for (JsonNode hash : hashes) {
      if (!hash.isString()) {
        throw HttpRefusal.invalid("hashes: expected strings, found " + hash.getNodeType());
      }
      BlobHash wanted = BlobHash.parse(hash.stringValue());
      if (!store.has(wanted)) {
        missing.add(wanted);
      }
    }
    ObjectNode answer = Json.object();
    ArrayNode array = answer.putArray("missing");
    missing.forEach(hash -> array.add(hash.toString()));
    return Answer.json(answer);
  }
}
