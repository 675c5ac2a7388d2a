// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import org.junit.jupiter.api.Test;

final class EntryTableTest {

  @Test
  void moreEntriesThanTheHeapHasRoomForAreRefused() {
    EntryTable entries = new EntryTable(96 * 4 * 100); // a hundred in a quarter of it
    EntryFacts facts = new EntryFacts(EntryKind.USER, false, null, null, -1);
    for (int i = 0; i < 100; i++) {
      entries.add(EntryId.of("e" + i), null, i, i, 1, facts);
    }

    assertThat(entries.count()).isEqualTo(100);
    assertThatThrownBy(() -> entries.add(EntryId.of("more"), null, 100, 100, 1, facts))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessageContaining("memory");
  }
}
