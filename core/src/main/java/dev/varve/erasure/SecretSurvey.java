// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.erase.TextSearch;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongConsumer;

/// Finds the blobs of a store that have one of several texts in them. In a blob that is kept as
/// chunks a text may lie across chunks; then these chunks count as having it.
public final class SecretSurvey implements ChunkWalk.Visitor {

  private final SurveyedBlobs blobs;
  private final TextSearch search;
  private final BitSet found;
  private final ChunkWalk walk;

  /// A chunk of which the end is carried on, and how many bytes of it are.
  private record Carried(int ordinal, int sizeBytes) {}

  /// The last bytes of what was looked at of a blob, and the chunks that they are from.
  private byte[] carried = {};

  private final ArrayDeque<Carried> carriedFrom = new ArrayDeque<>();

  /// @param found gets the ordinals of pieces that have a text, or a part of one
  public SecretSurvey(SurveyedBlobs blobs, TextSearch search, BitSet found) {
    this.blobs = blobs;
    this.search = search;
    this.found = found;
    this.walk = new ChunkWalk(blobs, search.bytesMax(), this);
  }

  /// Looks into live blobs.
  ///
  /// @param reached is given the bytes of all records before the one that was looked into
  public void look(BitSet live, LongConsumer reached) {
    BitSet whole = new BitSet();
    BitSet chunked = new BitSet();
    live.stream()
        .forEach(ordinal -> (blobs.blob(ordinal).chunked() ? chunked : whole).set(ordinal));
    blobs.contents(
        whole,
        (ordinal, content) -> {
          if (search.isIn(content)) {
            found.set(ordinal);
          }
          reached.accept(blobs.blob(ordinal).offset());
        });
    chunked.stream().forEach(walk::walk);
  }

  @Override
  public void begin() {
    carried = new byte[0];
    carriedFrom.clear();
  }

  /// Looks at the seam between what is carried and a chunk, and carries the chunk's end on.
  @Override
  public void chunk(int ordinal, byte[] content) {
    int reach = Math.max(0, search.bytesMax() - 1);
    int head = Math.min(reach, content.length);
    byte[] seam = Arrays.copyOf(carried, carried.length + head);
    System.arraycopy(content, 0, seam, carried.length, head);
    int border = carried.length;
    search.search(
        seam,
        (start, end) -> {
          if (start < border && end > border) {
            found.set(ordinal);
            markCarriedFrom(start);
          }
          return start < border;
        });
    byte[] all = content.length >= reach ? content : seam;
    carried = Arrays.copyOfRange(all, Math.max(0, all.length - reach), all.length);
    carriedFrom.addLast(new Carried(ordinal, Math.min(reach, content.length)));
    int extra = carriedFrom.stream().mapToInt(Carried::sizeBytes).sum() - carried.length;
    while (extra > 0) {
      Carried first = carriedFrom.removeFirst();
      if (first.sizeBytes() > extra) {
        carriedFrom.addFirst(new Carried(first.ordinal(), first.sizeBytes() - extra));
      }
      extra -= Math.min(extra, first.sizeBytes());
    }
  }

  /// Marks the chunks that have a carried byte from `start` on.
  private void markCarriedFrom(int start) {
    int end = 0;
    for (Carried piece : carriedFrom) {
      end += piece.sizeBytes();
      if (end > start) {
        found.set(piece.ordinal());
      }
    }
  }
}
