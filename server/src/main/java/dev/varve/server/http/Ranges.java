// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

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
    for (String each : header.get().split(",")) {
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

  /// The whole of `bytes`, or the range that was asked for.
  static Answer answer(Request request, String tag, byte[] bytes) {
    Optional<Range> range = of(request, tag, bytes.length);
    if (range.isEmpty()) {
      return Answer.bytes(200, Answer.OCTETS, bytes);
    }
    int start = (int) range.get().start();
    int end = (int) range.get().end();
    return Answer.streamed(
            206, Answer.OCTETS, end - start, out -> out.write(bytes, start, end - start))
        .with("Content-Range", "bytes " + start + "-" + (end - 1) + "/" + bytes.length);
  }
}
