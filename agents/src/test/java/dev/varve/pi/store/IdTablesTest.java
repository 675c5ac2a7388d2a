// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.session.EntryId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IdTablesTest {

  @Test
  void idsAreKnownByWhatTheyAreAndNotByTheirLength() {
    Set<EntryId> ids = new HashSet<>();
    String[] different = {
      "",
      "\u0000",
      "\u0000\u0000",
      "a",
      "a\u0000",
      "cdb74ac9",
      "123456789012345",
      "1234567890123456",
      "\u0141",
      "\ud800",
      "\udc00",
      "x".repeat(100),
      "x".repeat(101),
      "12345678",
      "123456781",
      "\u00ff"
    };
    for (String id : different) {
      assertThat(ids.add(EntryId.of(id))).as("'%s'", id).isTrue();
      assertThat(EntryId.of(new String(id))).isEqualTo(EntryId.of(id));
    }
  }

  @Test
  void idsLeadToTheTurnDefinedLast() {
    SplittableRandom random = new SplittableRandom(1);
    EntryIds ids = new EntryIds();
    Map<String, Long> model = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String id = Integer.toHexString(random.nextInt(5000)) + "x".repeat(random.nextInt(20));
      if (random.nextBoolean()) {
        ids.declare(EntryId.of(id));
        model.putIfAbsent(id, EntryIds.LATER);
      } else {
        long turn = random.nextLong(1, Long.MAX_VALUE);
        ids.define(EntryId.of(id), turn);
        model.put(id, turn);
      }
      String other = Integer.toHexString(random.nextInt(10_000));
      assertThat(ids.turn(EntryId.of(other)))
          .isEqualTo(model.getOrDefault(other, EntryIds.UNKNOWN));
    }
    model.forEach((id, turn) -> assertThat(ids.turn(EntryId.of(id))).isEqualTo(turn));
  }
}
