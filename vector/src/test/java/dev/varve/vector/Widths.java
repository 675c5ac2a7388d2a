// SPDX-License-Identifier: Apache-2.0
package dev.varve.vector;

import dev.varve.hash.Blake3Lanes;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Engines of every width, whatever the processor prefers.
public final class Widths {

  private Widths() {}

  /// The engine with `count` lanes.
  public static Blake3Lanes engine(int count) {
    return new VectorLanes(species(count));
  }

  static VectorSpecies<Integer> species(int count) {
    return VectorSpecies.of(int.class, VectorShape.forBitSize(count * Integer.SIZE));
  }

  /// How many lanes the processor prefers.
  public static int preferred() {
    return IntVector.SPECIES_PREFERRED.length();
  }
}
