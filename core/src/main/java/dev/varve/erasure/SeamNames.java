// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.BlobHash;
import dev.varve.erase.NameScan;
import dev.varve.erase.NameSet;
import java.util.Arrays;
import java.util.function.Consumer;

/// Finds the names of blobs that lie across two or more chunks of a large blob, as in a list of the
/// files of a large folder. Those that lie in one chunk are found where the chunk is read.
public final class SeamNames {

  private final NameSet names;
  private final ChunkWalk walk;
  private Consumer<BlobHash> found = _ -> {};

  /// The last bytes of what was passed.
  private byte[] carried = {};

  /// @param names the names that are looked for
  public SeamNames(SurveyedBlobs blobs, NameSet names) {
    this.names = names;
    this.walk =
        new ChunkWalk(
            blobs,
            NameScan.BYTES_MAX,
            new ChunkWalk.Visitor() {
              @Override
              public void begin() {
                carried = new byte[0];
              }

              @Override
              public void chunk(int ordinal, byte[] content) {
                pass(content);
              }
            });
  }

  /// Hands over each name across chunks of a blob that may be one of the names; others may be among
  /// them. What the blob shares with one that was looked at before is not looked at again.
  ///
  /// @param blob the ordinal of a blob that is kept as chunks
  public void find(int blob, Consumer<BlobHash> each) {
    found = each;
    walk.walk(blob);
  }

  private void pass(byte[] content) {
    int reach = NameScan.BYTES_MAX - 1;
    int head = Math.min(reach, content.length);
    byte[] seam = Arrays.copyOf(carried, carried.length + head);
    System.arraycopy(content, 0, seam, carried.length, head);
    if (carried.length > 0) {
      NameScan.scan(seam, names, found);
    }
    byte[] all = content.length >= reach ? content : seam;
    carried = Arrays.copyOfRange(all, Math.max(0, all.length - reach), all.length);
  }
}
