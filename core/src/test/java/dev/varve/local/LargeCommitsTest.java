// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.sim.SimulatedTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Commits whose payloads are forced where they belong take little of the journal, which alone
/// would not fill for long. What a recovery has to read is bounded all the same.
class LargeCommitsTest {

  private static final int PAYLOAD_BYTES = 100_000;
  private static final Journal.Sizes JOURNAL = new Journal.Sizes(64 << 10, 64 << 10);
  private static final StoreGeometry GEOMETRY =
      new StoreGeometry(new FileGrowth(1 << 20, 1 << 16, 1 << 20), JOURNAL, 4 << 10);

  @Test
  void aCheckpointFollowsFourJournalsOfWhatWasForcedInPlace() {
    SimulatedDisk disk = new SimulatedDisk(7, 16 << 20);
    LocalStore store =
        LocalStore.open(disk, StoreOptions.DEFAULTS, SimulatedTime.standing(), GEOMETRY);
    long storeId = StoreRoot.read(disk).shortId();
    ContextId context = store.createContext().id();
    SplittableRandom random = new SplittableRandom(1);

    long behindMax = 0;
    for (int i = 0; i < 12; i++) {
      byte[] payload = new byte[PAYLOAD_BYTES];
      random.nextBytes(payload);
      store.append(
          context, NewTurn.of(Payload.wrap(payload), DeclaredType.UNDECLARED, Encoding.RAW));
      long kept =
          Checkpoint.read(disk, storeId)
              .map(checkpoint -> checkpoint.position().ends().turns())
              .orElse(0L);
      behindMax = Math.max(behindMax, i + 1 - kept);
    }

    assertThat(behindMax * PAYLOAD_BYTES)
        .as("bytes that no checkpoint covers")
        .isLessThanOrEqualTo(2 * (4 * JOURNAL.maxBytes() + 2 * PAYLOAD_BYTES));
    store.close();
  }
}
