// SPDX-License-Identifier: Apache-2.0
package dev.varve.vector;

import dev.varve.hash.Blake3Lanes;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/// Hashes chunks, and joins subtrees, in groups of as many as a vector has lanes.
///
/// A last group with empty lanes costs as much as a full one. From two rows on that is still no
/// dearer than one after the other; a single row is left to the scalar engine.
public final class VectorLanes implements Blake3Lanes {

  private static final int CHUNK = 1024;
  private static final int BLOCK = 64;
  private static final int CV = 32;

  private final HashLanes lanes;
  private final Blake3Lanes scalar = Blake3Lanes.scalar();

  /// The engine of the width this processor prefers, at most 16 lanes.
  ///
  /// @throws UnsupportedOperationException if it prefers fewer than 4
  public VectorLanes() {
    this(preferred());
  }

  VectorLanes(VectorSpecies<Integer> species) {
    this.lanes = HashLanes.of(species);
  }

  @Override
  public String name() {
    return lanes.count() + " lanes";
  }

  @Override
  public void chunks(byte[] bytes, int at, int length, long counter, byte[] cvs, int out) {
    LaneGroup group = new LaneGroup(lanes);
    int width = lanes.count() * CHUNK;
    for (int done = 0; done < length; done += width) {
      int size = Math.min(width, length - done);
      long before = counter + done / CHUNK;
      int cvAt = out + done / CHUNK * CV;
      if (size > CHUNK) {
        group.chunks(bytes, at + done, size, before, cvs, cvAt);
      } else {
        scalar.chunks(bytes, at + done, size, before, cvs, cvAt);
      }
    }
  }

  @Override
  public void parents(byte[] cvs, int at, int pairs) {
    LaneGroup group = new LaneGroup(lanes);
    for (int done = 0; done < pairs; done += lanes.count()) {
      int rows = Math.min(lanes.count(), pairs - done);
      if (rows > 1) {
        group.parents(cvs, at + done * BLOCK, rows, at + done * CV);
      } else {
        System.arraycopy(cvs, at + done * BLOCK, cvs, at + done * CV, BLOCK);
        scalar.parents(cvs, at + done * CV, 1);
      }
    }
  }

  private static VectorSpecies<Integer> preferred() {
    VectorSpecies<Integer> preferred = IntVector.SPECIES_PREFERRED;
    if (preferred.length() < 4) {
      throw new UnsupportedOperationException("vectors of " + preferred.vectorBitSize() + " bits");
    }
    return preferred.length() > 16 ? IntVector.SPECIES_512 : preferred;
  }
}
