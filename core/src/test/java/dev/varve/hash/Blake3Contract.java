// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What a hash must be, whichever engine makes it.
abstract class Blake3Contract {

  @Test
  void agreesWithTheOfficialVectors() {
    assertThat(Oracle.vectors()).hasSize(35);
    for (Oracle.Vector vector : Oracle.vectors()) {
      byte[] input = Oracle.counting(vector.length());
      assertThat(Blake3.hash(input)).as("%d bytes", vector.length()).isEqualTo(vector.hash());
      assertThat(new Blake3().update(input).digest())
          .as("%d bytes in one update", vector.length())
          .isEqualTo(vector.hash());
    }
  }

  @Test
  void agreesWithBouncyCastleAtEveryBoundary() {
    byte[] bytes = Oracle.mixed((1 << 20) + 8);
    for (int length : lengths()) {
      int offset = length % 7;
      BlobHash expected = Oracle.bouncyCastle(bytes, offset, length);
      assertThat(Blake3.hash(bytes, offset, length)).as("%d bytes", length).isEqualTo(expected);
      if (length > 4000) {
        assertThat(new Blake3().update(bytes, offset, length).digest())
            .as("%d bytes in one update", length)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void doesNotCareHowTheInputIsCut() {
    for (long seed = 0; seed < 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = Oracle.mixed(random.nextInt(1, 200_000));
      Blake3 hasher = new Blake3();
      for (int done = 0; done < bytes.length; ) {
        int size = piece(random, bytes.length - done);
        hasher.update(bytes, done, size);
        done += size;
      }
      assertThat(hasher.sizeBytes()).as("seed %d", seed).isEqualTo(bytes.length);
      assertThat(hasher.digest()).as("seed %d", seed).isEqualTo(Oracle.bouncyCastle(bytes));
    }
  }

  @Test
  void goesOnFromASavedStateAtAnyPoint() {
    for (long seed = 100; seed < 140; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = Oracle.mixed(random.nextInt(1, 100_000));
      Blake3 hasher = new Blake3();
      for (int done = 0; done < bytes.length; ) {
        int size = piece(random, bytes.length - done);
        hasher = Blake3.restoreState(hasher.update(bytes, done, size).saveState());
        done += size;
        assertThat(hasher.sizeBytes()).as("seed %d", seed).isEqualTo(done);
      }
      assertThat(hasher.digest()).as("seed %d", seed).isEqualTo(Oracle.bouncyCastle(bytes));
    }
  }

  @Test
  void tellsTheDigestMidStreamAndGoesOn() {
    for (long seed = 200; seed < 220; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = Oracle.mixed(random.nextInt(1, 60_000));
      Blake3 hasher = new Blake3();
      for (int done = 0; done < bytes.length; ) {
        int size = piece(random, bytes.length - done);
        hasher.update(bytes, done, size);
        done += size;
        assertThat(hasher.digest())
            .as("seed %d after %d bytes", seed, done)
            .isEqualTo(Oracle.bouncyCastle(bytes, 0, done))
            .isEqualTo(hasher.digest());
      }
    }
  }

  @Test
  void hashesASegmentWhereverItLies() {
    for (int length : new int[] {0, 1, 64, 1024, 1025, 10_000, 65_536, 65_537, 300_001}) {
      byte[] bytes = Oracle.mixed(length + 5);
      BlobHash expected = Oracle.bouncyCastle(bytes, 3, length);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment heap = MemorySegment.ofArray(bytes).asSlice(3, length);
        MemorySegment offHeap = arena.allocate(Math.max(1, length)).asSlice(0, length);
        offHeap.copyFrom(heap);
        for (MemorySegment segment : new MemorySegment[] {heap, heap.asReadOnly(), offHeap}) {
          assertThat(Blake3.hash(segment)).as("%d bytes, %s", length, segment).isEqualTo(expected);
          assertThat(new Blake3().update(segment).digest())
              .as("%d bytes, %s, in one update", length, segment)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void leavesTheInputAlone() {
    byte[] bytes = Oracle.mixed(100_000);
    byte[] before = Arrays.copyOf(bytes, bytes.length);
    Blake3.hash(bytes);
    new Blake3().update(bytes).digest();
    assertThat(bytes).isEqualTo(before);
  }

  /// The lengths tried against BouncyCastle.
  int[] lengths() {
    return Oracle.lengths();
  }

  /// Mostly small pieces and pieces that end where blocks and chunks do, now and then a large one.
  private static int piece(SplittableRandom random, int most) {
    int size =
        switch (random.nextInt(6)) {
          case 0 -> random.nextInt(1, 65);
          case 1 -> 64 * random.nextInt(1, 17);
          case 2 -> 1024 * random.nextInt(1, 20);
          case 3 -> random.nextInt(1, 3000);
          case 4 -> random.nextInt(1, 30_000);
          default -> random.nextInt(0, 100_000);
        };
    return Math.min(size, most);
  }
}
