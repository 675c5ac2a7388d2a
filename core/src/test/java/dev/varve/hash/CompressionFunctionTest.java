// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The compression function against the paper's own words, in arrays: the vectors alone never reach
/// a counter over 32 bits.
class CompressionFunctionTest {

  private static final int[] IV = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
  };
  private static final int[] PERMUTATION = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};

  @Test
  void mixesAsThePaperSays() {
    Random random = new Random(42);
    for (int i = 0; i < 2000; i++) {
      byte[] cv = new byte[CompressionFunction.CV];
      byte[] block = new byte[CompressionFunction.BLOCK];
      random.nextBytes(cv);
      random.nextBytes(block);
      long counter = random.nextLong();
      int length = random.nextInt(65);
      int flags = random.nextInt(16);
      byte[] expected = plain(cv, block, counter, length, flags);
      CompressionFunction.compress(cv, 0, block, 0, length, counter, flags, cv, 0);
      assertThat(cv).as("case %d", i).isEqualTo(expected);
    }
  }

  private static byte[] plain(byte[] cv, byte[] block, long counter, int length, int flags) {
    int[] state = new int[16];
    ints(cv).get(state, 0, 8);
    System.arraycopy(IV, 0, state, 8, 4);
    state[12] = (int) counter;
    state[13] = (int) (counter >>> 32);
    state[14] = length;
    state[15] = flags;
    int[] message = new int[16];
    ints(block).get(message);
    for (int round = 0; round < 7; round++) {
      for (int i = 0; i < 4; i++) {
        mix(state, i, 4 + i, 8 + i, 12 + i, message[2 * i], message[2 * i + 1]);
      }
      for (int i = 0; i < 4; i++) {
        int b = 4 + (i + 1) % 4;
        int c = 8 + (i + 2) % 4;
        int d = 12 + (i + 3) % 4;
        mix(state, i, b, c, d, message[8 + 2 * i], message[9 + 2 * i]);
      }
      int[] permuted = new int[16];
      for (int i = 0; i < 16; i++) {
        permuted[i] = message[PERMUTATION[i]];
      }
      message = permuted;
    }
    byte[] out = new byte[CompressionFunction.CV];
    for (int i = 0; i < 8; i++) {
      ints(out).put(i, state[i] ^ state[i + 8]);
    }
    return out;
  }

  private static void mix(int[] state, int a, int b, int c, int d, int x, int y) {
    state[a] += state[b] + x;
    state[d] = Integer.rotateRight(state[d] ^ state[a], 16);
    state[c] += state[d];
    state[b] = Integer.rotateRight(state[b] ^ state[c], 12);
    state[a] += state[b] + y;
    state[d] = Integer.rotateRight(state[d] ^ state[a], 8);
    state[c] += state[d];
    state[b] = Integer.rotateRight(state[b] ^ state[c], 7);
  }

  private static IntBuffer ints(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
  }
}
