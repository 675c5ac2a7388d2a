// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.vector.Widths;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The contract of BLAKE3 with one engine of module `vector` let in for all sizes; and the engine
/// by itself against scalar code, where the contract does not reach.
abstract class EngineContract extends Blake3Contract {

  private final Blake3Lanes lanes;
  private final boolean emulated;

  EngineContract(int count) {
    this.lanes = Widths.engine(count);
    this.emulated = count > Widths.preferred();
  }

  @BeforeEach
  void letIn() {
    Blake3Acceleration.use(lanes, 0);
    assertThat(Blake3Acceleration.choice().engine()).isEqualTo(lanes.name());
  }

  @AfterEach
  void shutOut() {
    Blake3Acceleration.use(ScalarLanes.INSTANCE, 0);
  }

  /// Those that have more than one chunk; every fourth of the many if the width is emulated, which
  /// is slow.
  @Override
  int[] lengths() {
    return IntStream.of(super.lengths())
        .filter(length -> length > 1024)
        .filter(length -> !emulated || length > 4200 && length < 40_000 || length % 4 == 1)
        .toArray();
  }

  @Test
  void passesTheSelfCheckOfCore() {
    assertThat(new EngineTrial(lanes).agrees()).isTrue();
  }

  @Test
  void hashesAnyNumberOfChunksWithAnyTailAndCounter() {
    Random random = new Random(11);
    byte[] bytes = Oracle.mixed(40 * 1024);
    for (int i = 0; i < 300; i++) {
      int at = random.nextInt(100);
      int length = random.nextInt(1, i % 2 == 0 ? 6000 : 39_000);
      long counter = random.nextLong() >>> random.nextInt(11, 40);
      byte[] expected = new byte[(int) WholeChunk.count(length) * CompressionFunction.CV];
      byte[] found = new byte[expected.length];
      ScalarLanes.INSTANCE.chunks(bytes, at, length, counter, expected, 0);
      lanes.chunks(bytes, at, length, counter, found, 0);
      assertThat(found)
          .as("case %d: %d bytes after %d chunks", i, length, counter)
          .isEqualTo(expected);
    }
  }

  @Test
  void joinsAnyNumberOfPairsAndTouchesNothingElse() {
    for (int pairs = 1; pairs <= 70; pairs++) {
      byte[] before = Oracle.mixed(pairs * CompressionFunction.BLOCK + 99);
      byte[] expected = before.clone();
      byte[] found = before.clone();
      ScalarLanes.INSTANCE.parents(expected, 33, pairs);
      lanes.parents(found, 33, pairs);
      int end = 33 + pairs * CompressionFunction.CV;
      int free = 33 + pairs * CompressionFunction.BLOCK;
      assertThat(Arrays.copyOf(found, end))
          .as("%d pairs", pairs)
          .isEqualTo(Arrays.copyOf(expected, end));
      assertThat(Arrays.copyOfRange(found, free, found.length))
          .isEqualTo(Arrays.copyOfRange(before, free, before.length));
    }
  }
}
