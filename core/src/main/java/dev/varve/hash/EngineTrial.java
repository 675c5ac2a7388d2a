// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import java.util.Arrays;
import java.util.Random;

/// A comparison of an engine with the scalar engine: whether its hashes are the same, and from
/// which size on it is faster.
///
/// A vector engine of a width that the processor does not have is right and a hundred times slower,
/// which only a measurement shows. Therefore the engine is measured on this machine, after the JIT
/// had time to compile it.
final class EngineTrial {

  /// No size at which the engine is faster.
  static final int NEVER = Integer.MAX_VALUE;

  /// An engine must save at least a tenth of the time.
  private static final double WORTH = 0.9;

  private static final int[] SIZES = {2048, 3072, 4096, 6144, 10_240, 16_384, 65_536};
  private static final int ROUNDS = 15;
  private static final long ROUND_NANOS = 200_000;
  private static final long WARM_UP_NANOS = 3_000_000_000L;
  private static final int WARM_UP_CALLS = 4000;

  private final Blake3Lanes lanes;
  private final byte[] bytes = new byte[WideTree.MOST_BYTES];

  EngineTrial(Blake3Lanes lanes) {
    this.lanes = lanes;
    new Random(3).nextBytes(bytes);
  }

  /// Returns whether chunks and parents come out as scalar code makes them: full and empty lanes,
  /// short tails, counters on both sides of 32 bits.
  boolean agrees() {
    long[] counters = {0, 5, (1L << 32) - 3, (1L << 52) - 7};
    for (int chunks = 1; chunks <= 20; chunks++) {
      for (int tail : new int[] {1, 64, 65, 700, 1023, 1024}) {
        int length = (chunks - 1) * WholeChunk.SIZE + tail;
        if (!sameChunks(chunks, length, counters[(chunks + tail) % counters.length])) {
          return false;
        }
      }
    }
    for (int pairs = 1; pairs <= WideTree.MOST_CHUNKS / 2; pairs++) {
      if (!sameParents(pairs)) {
        return false;
      }
    }
    return true;
  }

  /// The size in bytes from which on the engine was faster at every size measured, or [#NEVER].
  int fasterFrom() {
    warmUp();
    int from = NEVER;
    for (int i = SIZES.length - 1; i >= 0 && isFaster(SIZES[i]); i--) {
      from = SIZES[i];
    }
    return from;
  }

  private boolean sameChunks(int chunks, int length, long counter) {
    byte[] expected = new byte[chunks * CompressionFunction.CV];
    byte[] found = new byte[chunks * CompressionFunction.CV];
    ScalarLanes.INSTANCE.chunks(bytes, 1, length, counter, expected, 0);
    lanes.chunks(bytes, 1, length, counter, found, 0);
    return Arrays.equals(expected, found);
  }

  private boolean sameParents(int pairs) {
    byte[] expected = Arrays.copyOf(bytes, (pairs + 1) * CompressionFunction.BLOCK);
    byte[] found = expected.clone();
    ScalarLanes.INSTANCE.parents(expected, CompressionFunction.CV, pairs);
    lanes.parents(found, CompressionFunction.CV, pairs);
    int end = (pairs + 1) * CompressionFunction.CV;
    return Arrays.equals(expected, 0, end, found, 0, end);
  }

  private void warmUp() {
    long until = System.nanoTime() + WARM_UP_NANOS;
    for (int i = 0; i < WARM_UP_CALLS && System.nanoTime() < until; i++) {
      int size = SIZES[i % SIZES.length];
      WideTree.root(lanes, bytes, 0, size);
      WideTree.root(ScalarLanes.INSTANCE, bytes, 0, size);
    }
  }

  /// The best of several rounds of each, in turns: other load of the machine only adds time.
  private boolean isFaster(int size) {
    double own = Double.MAX_VALUE;
    double scalar = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      own = Math.min(own, nanos(lanes, size));
      scalar = Math.min(scalar, nanos(ScalarLanes.INSTANCE, size));
    }
    return own < WORTH * scalar;
  }

  private double nanos(Blake3Lanes engine, int size) {
    long start = System.nanoTime();
    long end;
    int calls = 0;
    do {
      WideTree.root(engine, bytes, 0, size);
      calls++;
      end = System.nanoTime();
    } while (end - start < ROUND_NANOS);
    return (double) (end - start) / calls;
  }
}
