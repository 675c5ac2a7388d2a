// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Durability;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Work that is done while nobody writes, and a closing beside the work.
@Timeout(60)
final class CommitterTest {

  private static final StoreGeometry GEOMETRY = PowerCutStoreTest.SMALL;
  private static final Duration SHORT = Duration.ofMillis(20);

  private final SimulatedDisk disk = new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);
  private final StoreRoot root = StorePlace.make(disk, Instant.EPOCH);
  private final StoreFiles files = new StoreFiles(disk, root, History.OPTIONS, GEOMETRY);
  private Committer committer;

  @BeforeEach
  void start() {
    files.openParts(StorePosition.START, null, Level.INFO);
    Journal journal = new Journal(disk, GEOMETRY.journal());
    Durability durability = Durability.FORCE_EACH;
    committer =
        new Committer(
                files,
                new CommitWriter(
                    files,
                    journal,
                    new Checkpointer(disk, files, journal, 0),
                    durability,
                    GEOMETRY,
                    root.shortId()),
                durability,
                StoreLimits.DEFAULTS,
                InstantSource.system(),
                GEOMETRY,
                root.shortId(),
                StorePosition.START,
                null)
            .start();
  }

  @AfterEach
  void close() {
    committer.close();
    files.close(false);
  }

  private void demandRefusal(String expected) {
    assertThatThrownBy(() -> committer.alone(SHORT, () -> "done"))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining(expected);
  }

  @Test
  void aBlobThatIsPutForTooLongRefusesTheWorkAndLaterCallersComeIn() {
    committer.enterStream();

    demandRefusal("blobs that are put within");

    committer.enterStream();
    committer.enter();
    committer.leave();
    committer.leaveStream();
    committer.leaveStream();
    assertThat(committer.alone(SHORT, () -> "done")).isEqualTo("done");
  }

  @Test
  void aChangeThatDoesNotEndRefusesTheWorkAndLaterCallersComeIn() {
    committer.enter();

    demandRefusal("changes that end within");

    committer.enter();
    committer.enterStream();
    committer.leaveStream();
    committer.leave();
    committer.leave();
    assertThat(committer.alone(SHORT, () -> "done")).isEqualTo("done");
  }

  @Test
  void aClosingWaitsForWorkThatIsDoneAlone() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread working =
        Thread.startVirtualThread(
            () ->
                committer.alone(
                    SHORT,
                    () -> {
                      begun.countDown();
                      await(goOn);
                      return "done";
                    }));
    begun.await();

    Thread closing = Thread.ofPlatform().start(committer::close);
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(working.isAlive()).isTrue();
    goOn.countDown();
    closing.join();

    working.join();
    assertThatThrownBy(() -> committer.commit(_ -> 1)).isInstanceOf(StoreException.Closed.class);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
