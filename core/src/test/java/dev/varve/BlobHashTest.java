// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobHashTest {

  private static final String EMPTY =
      "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

  @Test
  void itsTextIsItsBytesInLowerCaseHex() {
    byte[] bytes = new byte[32];
    for (int i = 0; i < 32; i++) {
      bytes[i] = (byte) (0xf0 + i);
    }

    BlobHash hash = BlobHash.of(bytes);

    assertThat(hash.toString())
        .isEqualTo("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f");
    assertThat(hash.w0()).as("little-endian").isEqualTo(0xf7f6f5f4f3f2f1f0L);
    assertThat(hash.w3()).isEqualTo(0x0f0e0d0c0b0a0908L);
  }

  @Test
  void textAndBytesLeadBackToTheHash() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      byte[] bytes = new byte[32];
      random.nextBytes(bytes);
      BlobHash hash = BlobHash.of(bytes);

      assertThat(hash.bytes()).isEqualTo(bytes);
      assertThat(BlobHash.parse(hash.toString())).isEqualTo(hash).hasSameHashCodeAs(hash);
    }
  }

  @Test
  void itIsReadAndWrittenAtAnyOffset() {
    BlobHash hash = BlobHash.parse(EMPTY);
    for (int offset = 0; offset < 10; offset++) {
      byte[] bytes = new byte[50];
      hash.write(MemorySegment.ofArray(bytes), offset);

      assertThat(BlobHash.read(MemorySegment.ofArray(bytes), offset)).isEqualTo(hash);
      for (int i = 0; i < bytes.length; i++) {
        if (i < offset || i >= offset + 32) {
          assertThat(bytes[i]).as("byte %d beside the hash at %d", i, offset).isZero();
        }
      }
    }
  }

  @Test
  void changingTheBytesChangesNoHash() {
    byte[] bytes = new byte[32];
    BlobHash hash = BlobHash.of(bytes);
    bytes[0] = 1;
    hash.bytes()[1] = 1;

    assertThat(hash).isEqualTo(new BlobHash(0, 0, 0, 0));
  }

  @Test
  void hashesThatDifferInOneBitDiffer() {
    byte[] bytes = BlobHash.parse(EMPTY).bytes();
    for (int bit = 0; bit < 256; bit++) {
      byte[] other = bytes.clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(BlobHash.of(other)).isNotEqualTo(BlobHash.of(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "af",
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f326",
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f32620"
      })
  void textOfAnotherLengthIsRefused(String text) {
    assertThatThrownBy(() -> BlobHash.parse(text))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("hash: expected 64 hex digits, found " + text.length() + " characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "F", "g", " ", "-", "\u0000", "１", "é"})
  void whatIsNoLowerCaseHexDigitIsRefusedWithItsPlace(String wrong) {
    assertThatThrownBy(() -> BlobHash.parse(EMPTY.substring(0, 10) + wrong + EMPTY.substring(11)))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("hash: expected lower-case hex digits, found '" + wrong + "' at character 11");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 31, 33, 64})
  void anotherNumberOfBytesIsRefused(int count) {
    assertThatThrownBy(() -> BlobHash.of(new byte[count]))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("hash: expected 32 bytes, found " + count);
  }
}
