// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Replacements of bytes of a text, made all at once. The other bytes of the text stay the same.
public final class TextEdits {

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Edit(int from, int to, byte[] bytes) {}

  private final List<Edit> edits = new ArrayList<>();

  /// Puts `bytes` in the place of the bytes from `from` to before `to`.
  public void replace(int from, int to, byte[] bytes) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("edit from " + from + " to " + to);
    }
    edits.add(new Edit(from, to, bytes));
  }

  public void replace(int from, int to, String text) {
    replace(from, to, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Returns `text` with all edits made.
  public byte[] apply(byte[] text) {
    List<Edit> sorted = new ArrayList<>(edits);
    sorted.sort(Comparator.comparingInt(Edit::from));
    long sizeBytes = text.length;
    int end = 0;
    for (Edit edit : sorted) {
      if (edit.from < end || edit.to > text.length) {
        throw new AssertionError("edits overlap at byte " + edit.from);
      }
      end = edit.to;
      sizeBytes += edit.bytes.length - (edit.to - edit.from);
    }
    byte[] result = new byte[Math.toIntExact(sizeBytes)];
    int read = 0;
    int written = 0;
    for (Edit edit : sorted) {
      int kept = edit.from - read;
      System.arraycopy(text, read, result, written, kept);
      System.arraycopy(edit.bytes, 0, result, written + kept, edit.bytes.length);
      written += kept + edit.bytes.length;
      read = edit.to;
    }
    System.arraycopy(text, read, result, written, text.length - read);
    return result;
  }
}
