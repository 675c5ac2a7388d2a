// SPDX-License-Identifier: Apache-2.0
package dev.varve.vector;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.ROR;
import static jdk.incubator.vector.VectorOperators.XOR;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/// The compression function of BLAKE3 on as many blocks as a vector has lanes.
///
/// Word `w` of the block in lane `l` stands at `w * LANES + l`. The width is class data of a hidden
/// class ([HashLanes#of(VectorSpecies)]): a constant to the JIT in each copy, and one source for
/// all widths.
///
/// Two rules keep this fast (docs/decisions/0003-blake3.md). No vector is a parameter or a result
/// of a method of ours, however small: in a method as long as `compress` the JIT stops inlining
/// what it need not, and every vector that crosses a call is boxed. And the seven rounds stay a
/// loop: unrolled, the method is over the size that the JIT compiles well.
final class LaneKernel implements HashLanes {

  private static final VectorSpecies<Integer> INTS = width();
  private static final VectorSpecies<Long> LONGS = INTS.withLanes(long.class);
  private static final int LANES = INTS.length();

  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Where in the message the 16 words of each of the seven rounds begin, in the order of their
  /// use.
  private static final int[] SCHEDULE = schedule();

  @Override
  public int count() {
    return LANES;
  }

  @Override
  public void take(byte[] bytes, int at, int row, long[] pairs) {
    pairs[row] = (long) U64.get(bytes, at);
    pairs[LANES + row] = (long) U64.get(bytes, at + 8);
    pairs[2 * LANES + row] = (long) U64.get(bytes, at + 16);
    pairs[3 * LANES + row] = (long) U64.get(bytes, at + 24);
    pairs[4 * LANES + row] = (long) U64.get(bytes, at + 32);
    pairs[5 * LANES + row] = (long) U64.get(bytes, at + 40);
    pairs[6 * LANES + row] = (long) U64.get(bytes, at + 48);
    pairs[7 * LANES + row] = (long) U64.get(bytes, at + 56);
  }

  @Override
  public void split(long[] pairs, int[] message) {
    for (int pair = 0; pair < 8; pair++) {
      LongVector low = LongVector.fromArray(LONGS, pairs, pair * LANES);
      LongVector high = LongVector.fromArray(LONGS, pairs, pair * LANES + LANES / 2);
      LongVector even = low.and(0xFFFF_FFFFL).or(high.lanewise(LSHL, 32));
      LongVector odd = low.lanewise(LSHR, 32).or(high.and(0xFFFF_FFFF_0000_0000L));
      even.reinterpretAsInts().intoArray(message, 2 * pair * LANES);
      odd.reinterpretAsInts().intoArray(message, (2 * pair + 1) * LANES);
    }
  }

  @Override
  public void compress(int[] cv, int[] m, int[] last) {
    IntVector s0 = IntVector.fromArray(INTS, cv, 0 * LANES);
    IntVector s1 = IntVector.fromArray(INTS, cv, 1 * LANES);
    IntVector s2 = IntVector.fromArray(INTS, cv, 2 * LANES);
    IntVector s3 = IntVector.fromArray(INTS, cv, 3 * LANES);
    IntVector s4 = IntVector.fromArray(INTS, cv, 4 * LANES);
    IntVector s5 = IntVector.fromArray(INTS, cv, 5 * LANES);
    IntVector s6 = IntVector.fromArray(INTS, cv, 6 * LANES);
    IntVector s7 = IntVector.fromArray(INTS, cv, 7 * LANES);
    IntVector s8 = IntVector.broadcast(INTS, 0x6A09E667);
    IntVector s9 = IntVector.broadcast(INTS, 0xBB67AE85);
    IntVector s10 = IntVector.broadcast(INTS, 0x3C6EF372);
    IntVector s11 = IntVector.broadcast(INTS, 0xA54FF53A);
    IntVector s12 = IntVector.fromArray(INTS, last, 0 * LANES);
    IntVector s13 = IntVector.fromArray(INTS, last, 1 * LANES);
    IntVector s14 = IntVector.fromArray(INTS, last, 2 * LANES);
    IntVector s15 = IntVector.fromArray(INTS, last, 3 * LANES);
    for (int round = 0; round < SCHEDULE.length; round += 16) {
      // the four columns, side by side
      s0 = s0.add(IntVector.fromArray(INTS, m, SCHEDULE[round])).add(s4);
      s1 = s1.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 2])).add(s5);
      s2 = s2.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 4])).add(s6);
      s3 = s3.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 6])).add(s7);
      s12 = s12.lanewise(XOR, s0).lanewise(ROR, 16);
      s13 = s13.lanewise(XOR, s1).lanewise(ROR, 16);
      s14 = s14.lanewise(XOR, s2).lanewise(ROR, 16);
      s15 = s15.lanewise(XOR, s3).lanewise(ROR, 16);
      s8 = s8.add(s12);
      s9 = s9.add(s13);
      s10 = s10.add(s14);
      s11 = s11.add(s15);
      s4 = s4.lanewise(XOR, s8).lanewise(ROR, 12);
      s5 = s5.lanewise(XOR, s9).lanewise(ROR, 12);
      s6 = s6.lanewise(XOR, s10).lanewise(ROR, 12);
      s7 = s7.lanewise(XOR, s11).lanewise(ROR, 12);
      s0 = s0.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 1])).add(s4);
      s1 = s1.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 3])).add(s5);
      s2 = s2.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 5])).add(s6);
      s3 = s3.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 7])).add(s7);
      s12 = s12.lanewise(XOR, s0).lanewise(ROR, 8);
      s13 = s13.lanewise(XOR, s1).lanewise(ROR, 8);
      s14 = s14.lanewise(XOR, s2).lanewise(ROR, 8);
      s15 = s15.lanewise(XOR, s3).lanewise(ROR, 8);
      s8 = s8.add(s12);
      s9 = s9.add(s13);
      s10 = s10.add(s14);
      s11 = s11.add(s15);
      s4 = s4.lanewise(XOR, s8).lanewise(ROR, 7);
      s5 = s5.lanewise(XOR, s9).lanewise(ROR, 7);
      s6 = s6.lanewise(XOR, s10).lanewise(ROR, 7);
      s7 = s7.lanewise(XOR, s11).lanewise(ROR, 7);
      // the four diagonals, side by side
      s0 = s0.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 8])).add(s5);
      s1 = s1.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 10])).add(s6);
      s2 = s2.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 12])).add(s7);
      s3 = s3.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 14])).add(s4);
      s15 = s15.lanewise(XOR, s0).lanewise(ROR, 16);
      s12 = s12.lanewise(XOR, s1).lanewise(ROR, 16);
      s13 = s13.lanewise(XOR, s2).lanewise(ROR, 16);
      s14 = s14.lanewise(XOR, s3).lanewise(ROR, 16);
      s10 = s10.add(s15);
      s11 = s11.add(s12);
      s8 = s8.add(s13);
      s9 = s9.add(s14);
      s5 = s5.lanewise(XOR, s10).lanewise(ROR, 12);
      s6 = s6.lanewise(XOR, s11).lanewise(ROR, 12);
      s7 = s7.lanewise(XOR, s8).lanewise(ROR, 12);
      s4 = s4.lanewise(XOR, s9).lanewise(ROR, 12);
      s0 = s0.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 9])).add(s5);
      s1 = s1.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 11])).add(s6);
      s2 = s2.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 13])).add(s7);
      s3 = s3.add(IntVector.fromArray(INTS, m, SCHEDULE[round + 15])).add(s4);
      s15 = s15.lanewise(XOR, s0).lanewise(ROR, 8);
      s12 = s12.lanewise(XOR, s1).lanewise(ROR, 8);
      s13 = s13.lanewise(XOR, s2).lanewise(ROR, 8);
      s14 = s14.lanewise(XOR, s3).lanewise(ROR, 8);
      s10 = s10.add(s15);
      s11 = s11.add(s12);
      s8 = s8.add(s13);
      s9 = s9.add(s14);
      s5 = s5.lanewise(XOR, s10).lanewise(ROR, 7);
      s6 = s6.lanewise(XOR, s11).lanewise(ROR, 7);
      s7 = s7.lanewise(XOR, s8).lanewise(ROR, 7);
      s4 = s4.lanewise(XOR, s9).lanewise(ROR, 7);
    }
    s0.lanewise(XOR, s8).intoArray(cv, 0);
    s1.lanewise(XOR, s9).intoArray(cv, LANES);
    s2.lanewise(XOR, s10).intoArray(cv, 2 * LANES);
    s3.lanewise(XOR, s11).intoArray(cv, 3 * LANES);
    s4.lanewise(XOR, s12).intoArray(cv, 4 * LANES);
    s5.lanewise(XOR, s13).intoArray(cv, 5 * LANES);
    s6.lanewise(XOR, s14).intoArray(cv, 6 * LANES);
    s7.lanewise(XOR, s15).intoArray(cv, 7 * LANES);
  }

  private static int[] schedule() {
    int[] permutation = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
    int[] schedule = new int[7 * 16];
    for (int i = 0; i < 16; i++) {
      int word = i;
      for (int round = 0; round < 7; round++) {
        schedule[round * 16 + i] = word * LANES;
        word = permutation[word];
      }
    }
    return schedule;
  }

  @SuppressWarnings("unchecked") // Lanes.of gives no other class data
  private static VectorSpecies<Integer> width() {
    try {
      return (VectorSpecies<Integer>)
          MethodHandles.classData(
              MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, VectorSpecies.class);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
