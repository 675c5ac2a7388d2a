// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.LocalDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One writer, three readers, and the table's own thread. What was put is found, at any moment.
class FingerprintTableThreadsTest {

  private static final String NAME = "things.idx";
  private static final int READERS = 3;

  @TempDir Path temp;
  private final CapturedLog log = new CapturedLog();
  private final ListSource source = new ListSource();
  private final AtomicLong published = new AtomicLong();
  private volatile boolean done;
  private Disk disk;

  @BeforeEach
  void openDisk() {
    disk = LocalDisk.open(temp);
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  void readersFindAllWhileTheTableGrowsInTheBackground() throws Exception {
    try (var table = open()) {
      run(table, 150_000);
      assertThat(table.diskBytes()).isLessThanOrEqualTo(150_000 * 29L);
      assertThat(table.entries()).isEqualTo(150_000);
    }
    assertThat(log.warnings()).isEmpty();
    reopenedFindsAll();
  }

  @Test
  void readersFindAllWhileDamagedPagesAreMendedInTheBackground() throws Exception {
    try (var table = open()) {
      writeSome(table, 40_000);
      table.checkpoint(40_000);
    }
    byte[] bytes = Files.readAllBytes(temp.resolve(NAME));
    for (int round = 0; round < 5; round++) {
      byte[] damaged = bytes.clone();
      damaged[(7 + 20 * round) * 4096 + 3] ^= 1;
      Files.write(temp.resolve(NAME), damaged);
      source.cutTo(40_000);
      published.set(40_000);
      done = false;
      try (var table = open()) {
        run(table, 60_000);
        assertThat(table.entries()).isGreaterThanOrEqualTo(60_000);
      }
      assertThat(log.warnings()).hasSize(round + 1);
      reopenedFindsAll();
    }
    assertThat(log.errors()).isEmpty();
  }

  @Test
  void closingStopsTheGrowthInProgress() {
    for (int round = 0; round < 8; round++) {
      var table = open();
      long size = table.diskBytes();
      while (table.diskBytes() == size) {
        writeSome(table, (int) published.get() + 1);
      }
      writeSome(table, (int) published.get() + 300 * (round % 4));
      table.close();
      assertThatThrownBy(() -> table.put(1, 1)).isInstanceOf(StoreException.Closed.class);
      assertThat(disk.names()).containsExactly(NAME);
      reopenedFindsAll();
    }
  }

  private void run(FingerprintTable table, int count) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS + 2)) {
      List<Future<Void>> running = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        int seed = reader;
        running.add(threads.submit((Callable<Void>) () -> read(table, seed)));
      }
      running.add(
          threads.submit(
              (Callable<Void>)
                  () -> {
                    while (!done) {
                      table.checkpoint(published.get());
                    }
                    return null;
                  }));
      try {
        writeSome(table, count);
      } finally {
        done = true;
      }
      for (Future<Void> future : running) {
        future.get();
      }
    }
  }

  private void writeSome(FingerprintTable table, int upTo) {
    for (long value = published.get(); value < upTo; value++) {
      source.add(BitMixer.of(value), value);
      table.put(BitMixer.of(value), value);
      published.set(value + 1);
    }
  }

  private Void read(FingerprintTable table, int seed) {
    var random = new SplittableRandom(seed);
    while (!done) {
      long count = published.get();
      if (count == 0) {
        continue;
      }
      // The newest half of the time: those that a swap would lose.
      long value = random.nextBoolean() ? count - 1 : random.nextLong(count);
      assertThat(table.find(BitMixer.of(value), _ -> true)).as("seed %d", seed).isEqualTo(value);
      assertThat(table.find(BitMixer.of(-value - 1), _ -> true)).as("seed %d", seed).isEqualTo(-1);
    }
    return null;
  }

  private void reopenedFindsAll() {
    try (var table = open()) {
      for (long value = 0; value < published.get(); value++) {
        if (table.find(BitMixer.of(value), _ -> true) != value) {
          throw new AssertionError("not found: " + value);
        }
      }
    }
  }

  private FingerprintTable open() {
    return FingerprintTable.open(disk, NAME, 1, new UUID(1, 2), source, 0);
  }
}
