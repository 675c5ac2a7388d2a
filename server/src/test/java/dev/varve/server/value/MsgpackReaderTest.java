// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Payload;
import dev.varve.StoreException;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MsgpackReaderTest {

  /// `-Dfuzz.runs=N` for more.
  private static final int RUNS = Integer.getInteger("fuzz.runs", 3_000);

  private static Payload hex(String hex) {
    return Payload.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static PayloadValue read(String hex) {
    return MsgpackReader.read(hex(hex), ValueBounds.DEFAULTS);
  }

  @Test
  void everyKindOfValueIsRead() {
    assertThat(read("c0")).isEqualTo(PayloadValue.Nil.NIL);
    assertThat(read("c3")).isEqualTo(new PayloadValue.Bool(true));
    assertThat(read("7f")).isEqualTo(PayloadValue.Int.of(127));
    assertThat(read("e0")).isEqualTo(PayloadValue.Int.of(-32));
    assertThat(read("cfffffffffffffffff")).isEqualTo(PayloadValue.Int.unsigned(-1));
    assertThat(read("d38000000000000000")).isEqualTo(PayloadValue.Int.of(Long.MIN_VALUE));
    assertThat(read("ca3f800000")).isEqualTo(new PayloadValue.Real(1));
    assertThat(read("a3e282ac")).isEqualTo(new PayloadValue.Text("€"));
    assertThat(read("c40201ff"))
        .isEqualTo(new PayloadValue.Bytes(Payload.of(new byte[] {1, (byte) 0xff})));
    assertThat(read("92c0c2"))
        .isEqualTo(
            new PayloadValue.Items(List.of(PayloadValue.Nil.NIL, new PayloadValue.Bool(false))));
    assertThat(read("81 a161 01"))
        .isEqualTo(
            new PayloadValue.Entries(
                List.of(
                    new PayloadValue.Entry(new PayloadValue.Text("a"), PayloadValue.Int.of(1)))));
    assertThat(read("d50700ff")).isEqualTo(new PayloadValue.Extension((byte) 7));
  }

  @Test
  void aNumberAboveTheGreatestLongStaysItself() {
    assertThat(read("cf8000000000000000").toString()).isEqualTo("9223372036854775808");
    assertThat(read("cfffffffffffffffff").toString()).isEqualTo("18446744073709551615");
    assertThat(read("d3ffffffffffffffff").toString()).isEqualTo("-1");
  }

  @Test
  void doubleKeysAreKeptInTheirOrder() {
    assertThat(((PayloadValue.Entries) read("82 01c0 01c3")).entries())
        .extracting(PayloadValue.Entry::value)
        .containsExactly(PayloadValue.Nil.NIL, new PayloadValue.Bool(true));
  }

  @Test
  void textThatIsNotUtf8IsEmpty() {
    assertThat(read("a2c328")).isEqualTo(new PayloadValue.Text(""));
  }

  @Test
  void bytesBehindTheValueAreNotLookedAt() {
    assertThat(read("01c1c1")).isEqualTo(PayloadValue.Int.of(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "c1", // stands for nothing
        "92c0", // cut short
        "dbffffffff00", // a text of 4 GiB
        "dbefffffff00",
        "c6ffffffff00", // bytes of 4 GiB
        "ddffffffff00", // an array of 4 billion values
        "dd7fffffff00",
        "dfffffffff00", // a map of 4 billion entries
        "c9ffffffff0100", // an extension of 4 GiB
        "a5616263", // cut in a text
      })
  void whatIsNoWholeValueIsRefusedBeforeMemoryIsTaken(String bytes) {
    assertThatThrownBy(() -> read(bytes)).isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void nestingIsBounded() {
    String deep = "91".repeat(ValueBounds.DEFAULTS.depth()) + "c0";
    assertThat(read(deep)).isInstanceOf(PayloadValue.Items.class);
    assertThatThrownBy(() -> read("91" + deep))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("128 levels");
    assertThatThrownBy(() -> read("81c0".repeat(500_000) + "c0"))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void theNumberOfValuesIsBounded() {
    ValueBounds four = new ValueBounds(8, 4, 100);
    assertThat(MsgpackReader.read(hex("93c0c0c0"), four)).isInstanceOf(PayloadValue.Items.class);
    assertThatThrownBy(() -> MsgpackReader.read(hex("94c0c0c0c0"), four))
        .hasMessageContaining("more than 4 values");
    assertThatThrownBy(() -> MsgpackReader.read(hex("9292c0c0c0"), four))
        .hasMessageContaining("more than 4 values");
  }

  @Test
  void aPayloadOverTheSizeIsRefused() {
    assertThatThrownBy(() -> MsgpackReader.read(hex("93c0c0c0"), new ValueBounds(8, 8, 3)))
        .isInstanceOf(StoreException.TooLarge.class);
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    for (int seed = 0; seed < RUNS / 10; seed++) {
      PayloadValue value = RandomValue.of(new SplittableRandom(seed), 4);
      Payload bytes = MsgpackWriter.write(value);
      assertThat(MsgpackReader.read(bytes, ValueBounds.DEFAULTS))
          .as("seed %d", seed)
          .isEqualTo(value);
    }
  }

  @Test
  void garbageIsReadOrRefused() {
    for (int seed = 0; seed < RUNS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes =
          random.nextBoolean()
              ? garbled(MsgpackWriter.write(RandomValue.of(random, 4)).bytes(), random)
              : noise(random);
      int number = seed;
      try {
        MsgpackReader.read(Payload.wrap(bytes), ValueBounds.DEFAULTS);
      } catch (StoreException.Invalid e) {
        assertThat(e.getMessage()).as("seed %d", number).isNotBlank();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + number, e);
      }
    }
  }

  private static byte[] garbled(byte[] bytes, SplittableRandom random) {
    for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static byte[] noise(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(64)];
    random.nextBytes(bytes);
    return bytes;
  }
}
