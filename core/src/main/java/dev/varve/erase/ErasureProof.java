// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import static dev.varve.disk.LittleEndian.U32;

import dev.varve.BlobHash;
import dev.varve.CheckReport.Problem;
import dev.varve.StoreException;
import dev.varve.blob.BlobRecord;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A search for records of erased blobs at every place of every file in a folder: in the pack and
/// behind its end, in the journal, in the checkpoint, in unknown files.
public final class ErasureProof {

  private static final int STEP_BYTES = 1 << 20;

  private final Set<BlobHash> erased;
  private final List<Problem> left = new ArrayList<>();

  private ErasureProof(Set<BlobHash> erased) {
    this.erased = erased;
  }

  /// Reads all files below a folder, but those that this process has locked.
  ///
  /// @return each place at which the record of an erased blob begins; empty if there is none
  public static List<Problem> findLeft(Path folder, Set<BlobHash> erased) {
    ErasureProof proof = new ErasureProof(erased);
    try {
      FolderFiles.read(folder, proof::read);
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be read", e);
    }
    return List.copyOf(proof.left);
  }

  private void read(String name, InputStream in) throws IOException {
    byte[] bytes = new byte[STEP_BYTES + BlobRecord.HEADER_BYTES];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    long start = 0;
    int carried = 0;
    for (int read = in.readNBytes(bytes, 0, STEP_BYTES);
        read > 0;
        read = in.readNBytes(bytes, carried, STEP_BYTES)) {
      int length = carried + read;
      int end = Math.max(0, length - BlobRecord.HEADER_BYTES + 1);
      for (int at = 0; at < end; at++) {
        look(name, start + at, segment, at);
      }
      carried = length - end;
      System.arraycopy(bytes, end, bytes, 0, carried);
      start += end;
    }
  }

  private void look(String name, long offset, MemorySegment bytes, int at) {
    if (bytes.get(U32, at) == BlobRecord.MAGIC) {
      BlobRecord.read(bytes.asSlice(at, BlobRecord.HEADER_BYTES))
          .filter(record -> erased.contains(record.hash()))
          .ifPresent(
              record ->
                  left.add(
                      new Problem(
                          name,
                          offset,
                          name
                              + " at byte "
                              + offset
                              + ": the record of erased blob "
                              + record.hash(),
                          false)));
    }
  }
}
