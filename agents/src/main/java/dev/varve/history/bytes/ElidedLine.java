// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.imports.StrictJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A line without some members of its outermost object, and the bytes that were cut out.
///
/// The bytes that stay are a JSON object again. A member goes with the comma before it, or, where
/// no member stays before it, with the comma behind it; so the same members leave the same bytes,
/// whichever others are cut out.
///
/// @param kept the bytes that stay
/// @param cuts in the order of their places
@SuppressWarnings("ArrayRecordComponent") // nobody compares these
public record ElidedLine(byte[] kept, List<Cut> cuts) {

  /// Bytes that were cut out.
  ///
  /// @param offset the place in the kept bytes at which they stood
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  public record Cut(int offset, byte[] bytes) {}

  /// Cuts members out of a line. A line that is no JSON object is kept whole.
  public static ElidedLine of(byte[] line, Set<String> members) {
    List<int[]> ranges = members.isEmpty() ? List.of() : ranges(line, members);
    if (ranges.isEmpty()) {
      return new ElidedLine(line, List.of());
    }
    byte[] kept = new byte[line.length];
    int size = 0;
    int from = 0;
    List<Cut> cuts = new ArrayList<>(ranges.size());
    for (int[] range : ranges) {
      System.arraycopy(line, from, kept, size, range[0] - from);
      size += range[0] - from;
      cuts.add(new Cut(size, Arrays.copyOfRange(line, range[0], range[1])));
      from = range[1];
    }
    System.arraycopy(line, from, kept, size, line.length - from);
    size += line.length - from;
    return new ElidedLine(Arrays.copyOf(kept, size), cuts);
  }

  private static List<int[]> ranges(byte[] line, Set<String> members) {
    List<int[]> ranges = new ArrayList<>();
    try (JsonParser json = StrictJson.parser(line, 0, line.length)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return List.of();
      }
      boolean anyKept = false;
      int open = -1; // the start of a cut that reaches to the next member
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        int nameFrom = (int) json.currentTokenLocation().getByteOffset();
        if (open >= 0) {
          ranges.add(new int[] {open, nameFrom});
          open = -1;
        }
        boolean cut = members.contains(json.currentName());
        json.nextToken();
        if (!cut) {
          json.skipChildren();
          anyKept = true;
        } else if (anyKept) {
          ranges.add(new int[] {commaBefore(line, nameFrom), valueTo(json)});
        } else {
          json.skipChildren();
          open = nameFrom;
        }
      }
      if (open >= 0) { // nothing follows: the comma before it, if any, went with the cut before
        return List.of();
      }
      return json.nextToken() == null ? ranges : List.of();
    } catch (JacksonException e) {
      return List.of();
    }
  }

  private static int commaBefore(byte[] line, int nameFrom) {
    int at = nameFrom - 1;
    while (line[at] != ',') {
      at--;
    }
    return at;
  }

  /// The end of the value that the parser stands at.
  private static int valueTo(JsonParser json) {
    if (json.currentToken().isStructStart()) {
      json.skipChildren();
    } else {
      json.finishToken();
    }
    return (int) json.currentLocation().getByteOffset();
  }

  /// The line as it was.
  public byte[] restored() {
    return restore(kept, cuts);
  }

  static byte[] restore(byte[] kept, List<Cut> cuts) {
    if (cuts.isEmpty()) {
      return kept;
    }
    int size = kept.length;
    for (Cut cut : cuts) {
      size = Math.addExact(size, cut.bytes().length);
    }
    byte[] line = new byte[size];
    int from = 0;
    int at = 0;
    for (Cut cut : cuts) {
      System.arraycopy(kept, from, line, at, cut.offset() - from);
      at += cut.offset() - from;
      System.arraycopy(cut.bytes(), 0, line, at, cut.bytes().length);
      at += cut.bytes().length;
      from = cut.offset();
    }
    System.arraycopy(kept, from, line, at, kept.length - from);
    return line;
  }
}
