// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class HeadZonesTest {

  private final HeadZones zones = new HeadZones();
  private final Map<Long, Long> heads = new HashMap<>();
  private long maxId;
  private long looks;

  private void put(long id, long activeAt) {
    heads.put(id, activeAt);
    maxId = Math.max(maxId, id);
    zones.note(id, activeAt);
  }

  private long activity(long id) {
    looks++;
    return heads.getOrDefault(id, HeadZones.NONE);
  }

  private List<HeadTable.Zone> all(LongUnaryOperator activity) {
    return zones.all(() -> maxId, activity);
  }

  @Test
  void aZoneTellsWhenOneOfItWasActiveLastAndGapsHaveNone() {
    put(1, 10);
    put(255, 30);
    put(256, 20);
    put(3_000, 5);

    assertThat(all(this::activity))
        .containsExactly(
            new HeadTable.Zone(1, 255, 30),
            new HeadTable.Zone(256, 511, 20),
            new HeadTable.Zone(2_816, 3_000, 5));
  }

  @Test
  void eachHeadIsLookedAtOnceHoweverOftenZonesAreAskedFor() {
    for (int id = 1; id <= 1_000; id++) {
      put(id, id);
    }
    all(this::activity);
    put(1_001, 7);
    put(3, 5_000);

    assertThat(all(this::activity))
        .startsWith(new HeadTable.Zone(1, 255, 5_000))
        .endsWith(new HeadTable.Zone(768, 1_001, 1_001 - 1));
    assertThat(looks).isEqualTo(1_000);
  }

  @Test
  void whatIsPutWhileHeadsAreLookedAtIsNotLost() {
    put(1, 10);
    put(2, 10);
    LongUnaryOperator busy =
        id -> {
          if (id == 2) {
            put(1, 99);
            put(700, 50);
          }
          return activity(id);
        };

    assertThat(all(busy))
        .containsExactly(new HeadTable.Zone(1, 255, 99), new HeadTable.Zone(512, 700, 50));
  }

  @Test
  void whereAHeadIsDamagedEachWhoAsksIsTold() {
    put(1, 10);
    put(2, 10);
    LongUnaryOperator damaged =
        id -> {
          if (id == 2) {
            throw new StoreException.Corrupt(HeadTable.FILE, 256, "context 2", "a damaged slot");
          }
          return activity(id);
        };

    assertThatThrownBy(() -> all(damaged)).isInstanceOf(StoreException.Corrupt.class);
    assertThatThrownBy(() -> all(damaged)).isInstanceOf(StoreException.Corrupt.class);
    assertThat(all(this::activity)).containsExactly(new HeadTable.Zone(1, 2, 10));
  }

  @Test
  void whatIsForgottenIsLookedAtAgain() {
    put(1, 10);
    all(this::activity);
    zones.clear();
    heads.put(1L, 3L);

    assertThat(all(this::activity)).containsExactly(new HeadTable.Zone(1, 1, 3));
  }
}
