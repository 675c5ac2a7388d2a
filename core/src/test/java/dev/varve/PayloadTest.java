// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;

class PayloadTest {

  @Test
  void payloadsAreEqualWhenTheirBytesAre() {
    Payload a = Payload.of(new byte[] {1, 2, 3});

    assertThat(a).isEqualTo(Payload.wrap(new byte[] {1, 2, 3}));
    assertThat(a).hasSameHashCodeAs(Payload.wrap(new byte[] {1, 2, 3}));
    assertThat(a).isNotEqualTo(Payload.of(new byte[] {1, 2, 4}));
    assertThat(a).isNotEqualTo(Payload.of(new byte[] {1, 2}));
    assertThat(a.equals(null)).isFalse();
  }

  @Test
  void aCopyDoesNotChangeWithTheArray() {
    byte[] bytes = {1, 2, 3};
    Payload payload = Payload.of(bytes);
    bytes[0] = 9;
    payload.bytes()[1] = 9;

    assertThat(payload.bytes()).containsExactly(1, 2, 3);
  }

  @Test
  void wrappingCopiesNothing() {
    byte[] bytes = {1, 2, 3};

    assertThat(Payload.wrap(bytes).unsafeArray()).isSameAs(bytes);
  }

  @Test
  void theBufferIsReadOnlyAndEachCallStartsAnew() {
    Payload payload = Payload.utf8("abc");
    ByteBuffer buffer = payload.buffer();
    assertThat(buffer.get()).isEqualTo((byte) 'a');

    assertThat(payload.buffer().remaining()).isEqualTo(3);
    assertThatThrownBy(() -> buffer.put((byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void noBytesAreAPayload() {
    assertThat(Payload.of(new byte[0])).isSameAs(Payload.EMPTY);
    assertThat(Payload.wrap(new byte[0])).isSameAs(Payload.EMPTY);
    assertThat(Payload.utf8("")).isSameAs(Payload.EMPTY);
    assertThat(Payload.EMPTY.sizeBytes()).isZero();
    assertThat(Payload.EMPTY.text()).isEmpty();
  }

  @Test
  void textIsUtf8() {
    Payload payload = Payload.utf8("Gezeiten 🌊");

    assertThat(payload.sizeBytes()).isEqualTo("Gezeiten 🌊".getBytes(UTF_8).length).isEqualTo(13);
    assertThat(payload.text()).isEqualTo("Gezeiten 🌊");
  }

  @Test
  void whatIsNotUtf8ReadsAsReplacementsAndKeepsItsBytes() {
    Payload payload = Payload.of(new byte[] {'a', (byte) 0xff, 'b'});

    assertThat(payload.text()).isEqualTo("a\uFFFDb");
    assertThat(payload.bytes()).containsExactly('a', 0xff, 'b');
  }

  @Test
  void itsNameDoesNotSpillItsContent() {
    assertThat(Payload.utf8("secret")).hasToString("Payload[6 bytes]");
  }
}
