// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.BlobHash;
import dev.varve.Store;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Conditional and partial reads of bytes that never change (RFC 9110, sections 13 and 14).
final class Ranges {

  private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  private Ranges() {}

  /// Some bytes of something.
  ///
  /// @param end exclusive
  record Range(long start, long end) {}

  /// Whether an `If-None-Match` names `tag`: weakly compared, `*` for any.
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

  /// The range that a request asks for; empty for the whole. Several ranges at once, other units
  /// and what is not a range are answered with the whole, as the RFC allows.
  static Optional<Range> of(Request request, String tag, long sizeBytes) {
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
        return Optional.empty(); // not a range at all
      }
    }
    if (start >= sizeBytes) {
      throw unsatisfiable(sizeBytes);
    }
    return Optional.of(new Range(start, end));
  }

  private static HttpRefusal unsatisfiable(long sizeBytes) {
    return new HttpRefusal(
        416,
        "range: there are " + sizeBytes + " bytes",
        Map.of("Content-Range", "bytes */" + sizeBytes));
  }

  /// A blob, or the range of it that was asked for; read while it is sent.
  ///
  /// @param type its media type
  static Answer answer(Request request, Store store, BlobHash hash, String type) {
    long sizeBytes = store.sizeBytes(hash);
    Optional<Range> asked = of(request, tag(hash), sizeBytes);
    Range range = asked.orElse(new Range(0, sizeBytes));
    long length = range.end() - range.start();
    Answer answer =
        Answer.streamed(
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

  /// A blob's `ETag`: its hash, for no other bytes can have it.
  static String tag(BlobHash hash) {
    return "\"" + hash + "\"";
  }
}
