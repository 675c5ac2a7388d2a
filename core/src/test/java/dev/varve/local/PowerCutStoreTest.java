// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Durability;
import dev.varve.disk.FileGrowth;
import dev.varve.journal.Journal;
import dev.varve.sim.RandomOperations;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random operations on a disk whose power is cut at any moment, also while the store recovers:
/// whatever was answered is there, and nothing is half there. In half of the runs a cut harms whole
/// sectors of 512 or 4,096 bytes.
///
/// A failure names its seed; `-Dsim.seed=N` runs that one alone, `-Dsim.runs=N` more of them.
class PowerCutStoreTest {

  static final StoreGeometry SMALL =
      new StoreGeometry(
          new FileGrowth(1 << 14, 1 << 10, 1 << 13),
          new Journal.Sizes(1 << 15, 1 << 16),
          600,
          RandomOperations.CHUNKS);

  /// How many operations the scenario has that is cut at each of the disk's operations.
  private static final int STEPS = 30;

  private static HeardLog log;

  @BeforeAll
  static void listen() {
    log = new HeardLog();
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  @Test
  void whatWasAnsweredSurvivesPowerCuts() {
    long only = Long.getLong("sim.seed", -1);
    int runs = Integer.getInteger("sim.runs", 500);
    LongStream seeds = only >= 0 ? LongStream.of(only) : LongStream.range(0, runs);
    seeds.forEach(
        seed -> {
          try {
            new PowerCutRun(seed, disk -> disk).run();
          } catch (RuntimeException | Error e) {
            throw new AssertionError("repeat with -Dsim.seed=" + seed + ": " + e.getMessage(), e);
          }
        });
  }

  /// From the making of the store on, over a closing and an opening, to the last closing.
  @ParameterizedTest
  @EnumSource(Durability.class)
  void thereIsNoOperationAtWhichTheCutHurts(Durability durability) {
    long operation = 0;
    boolean closedBefore = false;
    while (!closedBefore) {
      operation++;
      long seed = operation * Durability.values().length + durability.ordinal();
      try {
        closedBefore = new PowerCutRun(seed, disk -> disk).run(STEPS, operation);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("cut at operation " + operation + ": " + e.getMessage(), e);
      }
    }
    assertThat(operation).as("operations that were cut").isGreaterThan(100);
  }
}
