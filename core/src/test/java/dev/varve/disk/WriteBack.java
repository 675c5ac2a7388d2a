// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// How far a system had come with writing a file's dirty sectors when its power was cut.
///
/// A sector that was being written may hold anything where it was written. Elsewhere it holds what
/// it held: disks finish or refuse a sector, and no log that appends to a sector could live with
/// less.
enum WriteBack {
  /// It had written none.
  NONE,
  /// It had written all.
  ALL,
  /// It had written some, in any order, and broke off in others.
  SOME;

  /// Each of the three is likely enough, for files with a hundred dirty sectors too.
  static WriteBack any(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> NONE;
      case 1 -> ALL;
      default -> SOME;
    };
  }

  /// Changes a sector of `survived`, which holds the old content, to what is left of writing
  /// `bytes` there. It may end at the end of `survived`.
  ///
  /// @param written the bytes of the file that were written; those that differ were as well
  void sector(byte[] survived, byte[] bytes, BitSet written, int start, SplittableRandom random) {
    int end = Math.min(survived.length, start + SimulatedContent.SECTOR_BYTES);
    int[] places =
        IntStream.range(start, end)
            .filter(i -> written.get(i) || survived[i] != newByte(bytes, i))
            .toArray();
    change(survived, bytes, places, random);
  }

  /// The same for a whole block, whichever of its bytes were written.
  void block(byte[] survived, byte[] bytes, int start, int sizeBytes, SplittableRandom random) {
    int end = Math.min(survived.length, start + sizeBytes);
    change(survived, bytes, IntStream.range(start, end).toArray(), random);
  }

  private void change(byte[] survived, byte[] bytes, int[] places, SplittableRandom random) {
    int count = places.length;
    if (count == 0) {
      return;
    }
    switch (this) {
      case NONE -> {}
      case ALL -> write(survived, bytes, places, count);
      case SOME -> {
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> {}
          case 3, 4, 5 -> write(survived, bytes, places, count);
          case 6 -> zero(survived, places);
          case 7 -> garble(survived, places, 0, random);
          case 8 -> write(survived, bytes, places, random.nextInt(count));
          default -> {
            int torn = random.nextInt(count);
            write(survived, bytes, places, torn);
            garble(survived, places, torn, random);
          }
        }
      }
    }
  }

  private static void write(byte[] survived, byte[] bytes, int[] places, int count) {
    for (int i = 0; i < count; i++) {
      survived[places[i]] = newByte(bytes, places[i]);
    }
  }

  private static void zero(byte[] survived, int[] places) {
    for (int place : places) {
      survived[place] = 0;
    }
  }

  private static void garble(byte[] survived, int[] places, int from, SplittableRandom random) {
    for (int i = from; i < places.length; i++) {
      survived[places[i]] = (byte) random.nextInt();
    }
  }

  private static byte newByte(byte[] bytes, int index) {
    return index < bytes.length ? bytes[index] : 0;
  }
}
