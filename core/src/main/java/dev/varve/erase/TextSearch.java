// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A search for any of several texts of at least two bytes in one pass.
public final class TextSearch {

  /// The texts by their first two bytes.
  private final @Nullable List<byte[]>[] byStart;

  private final int bytesMax;

  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
  public TextSearch(List<byte[]> texts) {
    byStart = new List[1 << 16];
    int longest = 0;
    for (byte[] text : texts) {
      if (text.length < 2) {
        throw new IllegalArgumentException("a text of " + text.length + " bytes");
      }
      int start = start(text, 0);
      List<byte[]> known = byStart[start];
      if (known == null) {
        known = new ArrayList<>();
        byStart[start] = known;
      }
      known.add(text);
      longest = Math.max(longest, text.length);
    }
    bytesMax = longest;
  }

  /// Bytes of the longest text; 0 if there is none.
  public int bytesMax() {
    return bytesMax;
  }

  /// A place where one of the texts stands.
  @FunctionalInterface
  public interface Visitor {

    /// @return whether to go on
    boolean found(int start, int end);
  }

  /// Returns whether one of the texts stands in these bytes.
  public boolean isIn(byte[] bytes) {
    boolean[] found = {false};
    search(
        bytes,
        (start, end) -> {
          found[0] = true;
          return false;
        });
    return found[0];
  }

  /// Hands over each place in these bytes at which one of the texts stands, in order of the starts.
  public void search(byte[] bytes, Visitor visitor) {
    for (int at = 0; at + 1 < bytes.length; at++) {
      List<byte[]> candidates = byStart[start(bytes, at)];
      if (candidates != null) {
        for (byte[] text : candidates) {
          int end = at + text.length;
          if (end <= bytes.length
              && Arrays.equals(bytes, at, end, text, 0, text.length)
              && !visitor.found(at, end)) {
            return;
          }
        }
      }
    }
  }

  private static int start(byte[] bytes, int at) {
    return (bytes[at] & 0xff) | ((bytes[at + 1] & 0xff) << 8);
  }
}
