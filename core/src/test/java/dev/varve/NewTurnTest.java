// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class NewTurnTest {

  private static final Payload PAYLOAD = Payload.utf8("payload");
  private static final DeclaredType TYPE = new DeclaredType("type", 1);
  private static final BlobHash ROOT = new BlobHash(1, 2, 3, 4);
  private static final IdempotencyKey KEY = IdempotencyKey.of("key");
  private static final Instant THEN = Instant.parse("2025-03-01T10:00:00Z");

  @Test
  void aPlainTurnIsUnconditional() {
    assertThat(NewTurn.of(PAYLOAD, TYPE, Encoding.JSON))
        .isEqualTo(new NewTurn(PAYLOAD, TYPE, Encoding.JSON, null, null, null, null, 0, null));
  }

  @Test
  void eachWithSetsItsOwnPartAndKeepsTheOthers() {
    NewTurn whole =
        NewTurn.of(PAYLOAD, TYPE, Encoding.CBOR)
            .withParent(new TurnId(7))
            .withExpectedHead(new TurnId(8))
            .withKey(KEY)
            .withFsRoot(ROOT)
            .withDeclaredCompression(1)
            .withCreatedAt(THEN);

    assertThat(whole)
        .isEqualTo(
            new NewTurn(
                PAYLOAD, TYPE, Encoding.CBOR, new TurnId(7), new TurnId(8), KEY, ROOT, 1, THEN));
    assertThat(whole.withParent(TurnId.NONE))
        .isEqualTo(
            new NewTurn(
                PAYLOAD, TYPE, Encoding.CBOR, TurnId.NONE, new TurnId(8), KEY, ROOT, 1, THEN));
    assertThat(whole.withExpectedHead(TurnId.NONE).parent()).isEqualTo(new TurnId(7));
  }

  @Test
  void aTimeThatNoRecordCanHoldIsRefused() {
    NewTurn plain = NewTurn.of(PAYLOAD, TYPE, Encoding.JSON);

    assertThat(plain.withCreatedAt(Instant.EPOCH).createdAt()).isEqualTo(Instant.EPOCH);
    assertThatThrownBy(() -> plain.withCreatedAt(Instant.ofEpochMilli(-1)))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("time of a turn: expected 1970 or later, found 1969-12-31T23:59:59.999Z");
    assertThatThrownBy(() -> plain.withCreatedAt(Instant.MAX))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void aKeyHasFromOneTo1024Bytes() {
    assertThat(IdempotencyKey.of(new byte[1024]).bytes().sizeBytes()).isEqualTo(1024);
    assertThat(IdempotencyKey.of("k")).isEqualTo(IdempotencyKey.of(new byte[] {'k'}));
    assertThatThrownBy(() -> IdempotencyKey.of(""))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("idempotency key: expected at least one byte");
    assertThatThrownBy(() -> IdempotencyKey.of(new byte[1025]))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessage("idempotency key: 1025 is over the limit of 1024");
  }

  @Test
  void encodingsAreNumbersWithNames() {
    assertThat(Encoding.MSGPACK).isEqualTo(new Encoding(1)).hasToString("msgpack");
    assertThat(Encoding.RAW).isEqualTo(new Encoding(255)).hasToString("raw");
    assertThat(new Encoding(0)).hasToString("unknown");
    assertThat(new Encoding(99)).hasToString("encoding-99");
    assertThat(new Encoding(-1)).hasToString("encoding-4294967295");
  }
}
