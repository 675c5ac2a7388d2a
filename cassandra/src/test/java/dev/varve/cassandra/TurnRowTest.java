// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TurnRowTest {

  private static TurnRow row(@Nullable BlobHash fsRoot) {
    Turn turn =
        new Turn(
            new TurnId(5000),
            new TurnId(4000),
            3000,
            new ContextId(7),
            new DeclaredType("会話", -1),
            new Encoding(-7),
            1,
            new BlobHash(1, 2, 3, 4),
            1L << 31,
            Instant.ofEpochMilli(1_500_000_000_123L),
            fsRoot,
            false,
            0,
            null);
    return new TurnRow(turn, 2000, 6);
  }

  @Test
  void aRecordIsReadAsItWasWritten() {
    for (BlobHash fsRoot : Arrays.asList(null, new BlobHash(5, 6, 7, 8))) {
      TurnRow row = row(fsRoot);

      assertThat(TurnRow.read(5000, ByteBuffer.wrap(row.bytes()))).isEqualTo(row);
    }
    assertThat(row(null).block()).isEqualTo(4);
    assertThat(row(null).bucket()).isEqualTo(2);
  }

  @Test
  void aDamagedRecordIsRefusedByName() {
    byte[] whole = row(new BlobHash(5, 6, 7, 8)).bytes();
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 4;
      assertThatThrownBy(() -> TurnRow.read(5000, ByteBuffer.wrap(damaged)))
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining("row 5000");
      byte[] part = Arrays.copyOf(whole, i);
      assertThatThrownBy(() -> TurnRow.read(5000, ByteBuffer.wrap(part)))
          .isInstanceOf(StoreException.Corrupt.class);
    }
    assertThatThrownBy(() -> TurnRow.read(5000, null)).isInstanceOf(StoreException.Corrupt.class);
  }
}
