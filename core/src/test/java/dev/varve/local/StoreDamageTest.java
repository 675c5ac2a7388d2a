// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.local.History.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Flips, zeros, cuts, noise, older copies and files of other stores, up to three at once, in every
/// file of closed and crashed stores.
///
/// A failure names its seed; `-Ddamage.seed=N` runs that one alone, `-Ddamage.runs=N` more of them.
class StoreDamageTest {

  private static HeardLog log;
  private static final List<List<Moment>> HISTORIES = new ArrayList<>();

  @BeforeAll
  static void makeStores() {
    log = new HeardLog();
    int[] steps = {12, 30, 90};
    for (int i = 0; i < 6; i++) {
      HISTORIES.add(History.of(100 + i, 2 + i % 3, steps[i % steps.length]));
    }
  }

  @AfterAll
  static void stopListening() {
    log.close();
    HISTORIES.clear();
  }

  @Test
  void nothingIsWrongNothingIsLostWithoutAWordAndNoNumberIsGivenTwice() {
    long only = Long.getLong("damage.seed", -1);
    int runs = Integer.getInteger("damage.runs", 100);
    LongStream seeds = only >= 0 ? LongStream.of(only) : LongStream.range(0, runs);
    List<String> failures = new ArrayList<>();
    seeds.forEach(
        seed -> {
          StoreDamageRun run = new StoreDamageRun(seed, HISTORIES, log);
          try {
            run.run();
          } catch (RuntimeException | Error e) {
            failures.add("-Ddamage.seed=" + seed + " " + run.damages() + ": " + e);
          }
        });
    if (!failures.isEmpty()) {
      throw new AssertionError(
          failures.size() + " of " + runs + " rounds:\n" + String.join("\n", failures));
    }
  }
}
