// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Conditional and partial reads of bytes that never change (RFC 9110, sections 13 and 14).
final class ByteRanges {

  private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  private ByteRanges() {}

  /// A range of bytes.
  ///
  /// @param end exclusive
  record ByteRange(long start, long end) {}

  /// Returns whether an `If-None-Match` header names `tag`, by weak comparison; `*` names every
  /// tag.
  static boolean tagMatches(Optional<String> header, String tag) {
    if (header.isEmpty()) {
      return false;
    }
    for (String each : header.get().split(",", -1)) {
      String wanted = each.strip();
      if (wanted.equals("*") || wanted.equals(tag) || wanted.equals("W/" + tag)) {
        return true;
      }
    }
    return false;
  }

  /// The range that a request asks for; empty for the whole blob. Several ranges, other units and
  /// malformed ranges are answered with the whole blob, as the RFC allows.
  static Optional<ByteRange> of(HttpRequest request, String tag, long sizeBytes) {
    Optional<String> condition = request.header("If-Range");
    if (condition.isPresent() && !condition.get().equals(tag)) {
      return Optional.empty();
    }
    Matcher range = ONE.matcher(request.header("Range").orElse("").strip());
    if (!range.matches() || range.group(1).isEmpty() && range.group(2).isEmpty()) {
      return Optional.empty();
    }
    long start;
    long end;
    if (range.group(1).isEmpty()) { // the last n bytes
      start = Math.max(0, sizeBytes - Long.parseLong(range.group(2)));
      end = sizeBytes;
      if (range.group(2).matches("0+")) {
        throw unsatisfiable(sizeBytes);
      }
    } else {
      start = Long.parseLong(range.group(1));
      end =
          range.group(2).isEmpty()
              ? sizeBytes
              : Math.min(sizeBytes, Long.parseLong(range.group(2)) + 1);
      if (!range.group(2).isEmpty() && Long.parseLong(range.group(2)) < start) {
        return Optional.empty(); // no valid range
      }
    }
    if (start >= sizeBytes) {
      throw unsatisfiable(sizeBytes);
    }
    return Optional.of(new ByteRange(start, end));
  }

  private static HttpRefusal unsatisfiable(long sizeBytes) {
    return new HttpRefusal(
        416,
        "range: there are " + sizeBytes + " bytes",
        Map.of("Content-Range", "bytes */" + sizeBytes));
  }

  /// The answer with a blob or with the requested range of a blob; the bytes are read while they
  /// are sent.
  ///
  /// @param type the media type of the blob
  static HttpAnswer answer(HttpRequest request, Store store, BlobHash hash, String type) {
    long sizeBytes = store.sizeBytes(hash);
    Optional<ByteRange> asked = of(request, tag(hash), sizeBytes);
    ByteRange range = asked.orElse(new ByteRange(0, sizeBytes));
    long length = range.end() - range.start();
    HttpAnswer answer =
        HttpAnswer.streamed(
            asked.isEmpty() ? 200 : 206,
            type,
            length,
            out -> {
              try (InputStream in = store.read(hash, range.start(), length)) {
                in.transferTo(out);
              }
            });
    return asked.isEmpty()
        ? answer
        : answer.with(
            "Content-Range", "bytes " + range.start() + "-" + (range.end() - 1) + "/" + sizeBytes);
  }

  /// The `ETag` of a blob: its hash, because no other bytes can have the same hash.
  static String tag(BlobHash hash) {
    return "\"" + hash + "\"";
  }
}
