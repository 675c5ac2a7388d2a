// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.chunk.ChunkList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/// The chunks of large blobs in their order, for who looks for what may lie across several of them.
/// Each seam between two chunks of a list, and between two lists, is passed once, however many
/// blobs share it.
final class ChunkWalk {

  /// Takes chunks that follow one another.
  interface Visitor {

    /// Begins at a chunk that does not follow the last one.
    void begin();

    /// Takes a chunk, with the line feed that its list has for it.
    void chunk(int ordinal, byte[] content);
  }

  /// Two lists that follow one another; the first is -1 at the start of a blob.
  private record Seam(int before, int list) {}

  private final SurveyedBlobs blobs;
  private final int sizeBytesMax;
  private final Visitor visitor;
  private final Set<Seam> seen = new HashSet<>();

  /// @param sizeBytesMax size of the largest thing that is looked for
  ChunkWalk(SurveyedBlobs blobs, int sizeBytesMax, Visitor visitor) {
    this.blobs = blobs;
    this.sizeBytesMax = sizeBytesMax;
    this.visitor = visitor;
  }

  /// Passes the chunks of a blob that is kept as chunks.
  void walk(int blob) {
    ChunkList root = blobs.rootList(blob);
    int before = -1;
    boolean beforeIsLong = true;
    boolean skipped = false;
    visitor.begin();
    for (int i = 0; i < root.count(); i++) {
      int list = blobs.requireOrdinal(root.hash(i));
      boolean isLong = root.length(i) >= sizeBytesMax;
      // What is carried out of a long list depends on the list alone.
      boolean once = isLong && beforeIsLong;
      if (once && !seen.add(new Seam(before, list))) {
        skipped = true;
      } else {
        if (skipped) {
          visitor.begin();
          walkList(before);
          skipped = false;
        }
        walkList(list);
      }
      before = list;
      beforeIsLong = isLong;
    }
  }

  private void walkList(int list) {
    ChunkList chunks = blobs.chunkList(list);
    for (int i = 0; i < chunks.count(); i++) {
      int ordinal = blobs.requireOrdinal(chunks.hash(i));
      byte[] content = blobs.content(ordinal);
      visitor.chunk(ordinal, chunks.lineFeed(i) ? withLineFeed(content) : content);
    }
  }

  private static byte[] withLineFeed(byte[] content) {
    byte[] bytes = Arrays.copyOf(content, content.length + 1);
    bytes[content.length] = '\n';
    return bytes;
  }
}
