// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Verifies many large blobs one after the other, each whole: lists, chunks, and the hash of all.
/// What two versions of a file begin with is read and hashed once, so that a hundred versions cost
/// little more than one.
///
/// Remembers the hasher's state behind each list of the blobs verified last. Serves one reading of
/// a store, in which nothing changes that was looked at.
public final class BlobVerification {

  /// The number of families of blobs that are remembered; a family begins with the same list.
  private static final int FAMILIES_MAX = 16;

  /// Behind how many lists of a blob the state is remembered: some 5 GB of content.
  private static final int STATES_MAX = 1 << 12;

  private record Verified(ChunkList root, List<byte[]> states) {

    /// The number of lists that this blob and the other blob have in common at their beginnings, as
    /// far as their states are known.
    int shared(ChunkList other) {
      int most = Math.min(states.size(), other.count());
      int count = 0;
      while (count < most
          && root.length(count) == other.length(count)
          && root.hash(count).equals(other.hash(count))) {
        count++;
      }
      return count;
    }
  }

  private final ChunkSizes sizes;
  private final ChunkSource pieces;
  private final Map<BlobHash, Verified> families = new LinkedHashMap<>(16, 0.75f, true);

  public BlobVerification(ChunkSizes sizes, ChunkSource pieces) {
    this.sizes = sizes;
    this.pieces = pieces;
  }

  /// Verifies the blob that `root` stands for.
  ///
  /// @throws StoreException.Corrupt if it is not what was put
  public void verify(ChunkedStream.Place place, ChunkList root) {
    Verified family = families.get(root.hash(0));
    int shared = family == null ? 0 : family.shared(root);
    List<byte[]> states =
        family == null ? new ArrayList<>() : new ArrayList<>(family.states().subList(0, shared));
    Blake3 whole = shared == 0 ? new Blake3() : Blake3.restoreState(states.getLast());
    byte[] buffer = new byte[1 << 16];
    for (int i = shared; i < root.count(); i++) {
      long start = root.start(i);
      ChunkedStream stream =
          new ChunkedStream(place, sizes, root, pieces, start, start + root.length(i), null);
      for (int read = stream.read(buffer, 0, buffer.length);
          read >= 0;
          read = stream.read(buffer, 0, buffer.length)) {
        whole.update(buffer, 0, read);
      }
      if (i < STATES_MAX) {
        states.add(whole.saveState());
      }
    }
    BlobHash found = whole.digest();
    if (!found.equals(place.blob())) {
      throw place.corrupt("chunks with the hash " + place.blob(), "chunks with the hash " + found);
    }
    families.put(root.hash(0), new Verified(root, states));
    if (families.size() > FAMILIES_MAX) {
      families.remove(families.keySet().iterator().next());
    }
  }
}
