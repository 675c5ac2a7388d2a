// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An engine hashes only after it has shown that it is right and faster; these are neither, or one
/// of the two.
class Blake3AccelerationTest {

  @AfterEach
  void shutOut() {
    Blake3Acceleration.use(ScalarLanes.INSTANCE, 0);
  }

  @Test
  void staysScalarWhereThereIsNoEngine() {
    Blake3Acceleration.Choice choice = Blake3Acceleration.tryNow();
    assertThat(choice.engine()).isEqualTo("scalar");
    assertThat(choice.reason()).isEqualTo("no accelerator is there");
    assertThat(Blake3Acceleration.choice()).isEqualTo(choice);
  }

  @Test
  void refusesAnEngineThatErrsInOneChunkOfMany() {
    Blake3Lanes wrong =
        new Delegate() {
          @Override
          public void chunks(byte[] b, int at, int length, long counter, byte[] cvs, int out) {
            super.chunks(b, at, length, counter, cvs, out);
            if (length > 17 * WholeChunk.SIZE) {
              cvs[out + 16 * CompressionFunction.CV + 3] ^= 1;
            }
          }
        };
    assertThat(Blake3Acceleration.tryNow(wrong).reason()).isEqualTo("a test: wrong");
  }

  @Test
  void refusesAnEngineThatForgetsTheHighHalfOfTheCounter() {
    Blake3Lanes wrong =
        new Delegate() {
          @Override
          public void chunks(byte[] b, int at, int length, long counter, byte[] cvs, int out) {
            super.chunks(b, at, length, Integer.toUnsignedLong((int) counter), cvs, out);
          }
        };
    assertThat(Blake3Acceleration.tryNow(wrong).reason()).isEqualTo("a test: wrong");
  }

  @Test
  void refusesAnEngineThatErrsInOneParentOfMany() {
    Blake3Lanes wrong =
        new Delegate() {
          @Override
          public void parents(byte[] cvs, int at, int pairs) {
            super.parents(cvs, at, pairs);
            if (pairs == 31) {
              cvs[at] ^= 1;
            }
          }
        };
    assertThat(Blake3Acceleration.tryNow(wrong).reason()).isEqualTo("a test: wrong");
  }

  @Test
  void refusesAnEngineThatIsRightAndSlow() {
    Blake3Lanes slow =
        new Delegate() {
          @Override
          public void chunks(byte[] b, int at, int length, long counter, byte[] cvs, int out) {
            super.chunks(b, at, length, counter, cvs, out);
            super.chunks(b, at, length, counter, cvs, out);
          }
        };
    Blake3Acceleration.Choice choice = Blake3Acceleration.tryNow(slow);
    assertThat(choice.engine()).isEqualTo("scalar");
    assertThat(choice.reason()).isEqualTo("a test: no faster than scalar here");
  }

  @Test
  void asksTheEngineFromItsSizeOnAndNotBelow() {
    Blake3Lanes engine = new Delegate();
    Blake3Acceleration.use(engine, 3000);
    assertThat(Blake3Acceleration.lanesFor(2999)).isSameAs(ScalarLanes.INSTANCE);
    assertThat(Blake3Acceleration.lanesFor(3000)).isSameAs(engine);
    assertThat(Blake3Acceleration.choice().engine()).isEqualTo("a test");
  }

  /// The scalar engine under another name.
  private static class Delegate implements Blake3Lanes {

    @Override
    public String name() {
      return "a test";
    }

    @Override
    public void chunks(byte[] b, int at, int length, long counter, byte[] cvs, int out) {
      ScalarLanes.INSTANCE.chunks(b, at, length, counter, cvs, out);
    }

    @Override
    public void parents(byte[] cvs, int at, int pairs) {
      ScalarLanes.INSTANCE.parents(cvs, at, pairs);
    }
  }
}
