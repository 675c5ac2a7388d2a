// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static dev.varve.disk.DiskContract.utf8;
import static dev.varve.disk.PowerCutTest.SECTOR;
import static dev.varve.disk.PowerCutTest.SEEDS;
import static dev.varve.disk.PowerCutTest.content;
import static dev.varve.disk.PowerCutTest.count;
import static dev.varve.disk.PowerCutTest.forced;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What no power cut does to a [SimulatedDisk]: harm what was forced, or leave anything running.
class PowerCutLimitsTest {

  @Test
  void whatWasForcedIsThereWhateverWasWrittenNextToIt() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SimulatedDisk disk = new SimulatedDisk(seed, 32 << 10);
      byte[] forced = new byte[random.nextInt(1, 6000)];
      random.nextBytes(forced);
      boolean[] touched = new boolean[16 << 10];
      try (DiskFile file = disk.open("a")) {
        MemorySegment memory = null;
        for (int at = 0; at < forced.length; ) {
          int length = Math.min(forced.length - at, random.nextInt(1, 2000));
          if (memory != null && random.nextBoolean()) {
            file.resize(Math.max(file.sizeBytes(), at + length));
            MemorySegment.copy(
                forced, at, file.map(at, length, true), ValueLayout.JAVA_BYTE, 0, length);
          } else {
            file.write(at, ByteBuffer.wrap(forced, at, length));
            memory = file.map(at, length, false);
          }
          at += length;
        }
        file.force();
        disk.forceNames();
        for (int step = 0; step < 5; step++) {
          byte[] some = new byte[random.nextInt(1, 700)];
          random.nextBytes(some);
          int at = random.nextInt(8000);
          file.write(at, ByteBuffer.wrap(some));
          Arrays.fill(touched, at, at + some.length, true);
        }
      }
      byte[] found = content(disk.cutPower(), "a").getBytes(ISO_8859_1);
      assertThat(found.length).as("seed %d", seed).isGreaterThanOrEqualTo(forced.length);
      for (int i = 0; i < forced.length; i++) {
        if (!touched[i] && found[i] != forced[i]) {
          throw new AssertionError("seed " + seed + ": forced byte " + i + " was harmed");
        }
      }
    }
  }

  @Test
  void whatWasCutAwayAndForcedDoesNotComeBackWhenTheFileGrowsAgain() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      try (DiskFile file = forced(disk, "o".repeat(2000))) {
        file.resize(700);
        file.force();
        file.resize(2000);
        file.force();
      }
      assertThat(content(disk.cutPower(), "a"))
          .as("seed %d", seed)
          .isEqualTo("o".repeat(700) + "\0".repeat(1300));
    }
  }

  @Test
  void aCutAfterACutFindsWhatTheFirstLeft() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      try (DiskFile file = forced(disk, "o".repeat(1000))) {
        file.write(0, utf8("n".repeat(2000)));
        disk.open("created").close();
      }
      SimulatedDisk first = disk.cutPower();
      TreeMap<String, String> left = new TreeMap<>();
      first.names().forEach(name -> left.put(name, content(first, name)));
      SimulatedDisk second = first.cutPower();
      assertThat(second.names()).as("seed %d", seed).containsExactlyElementsOf(left.keySet());
      left.forEach((name, was) -> assertThat(content(second, name)).isEqualTo(was));
    }
  }

  @Test
  void thePowerCanFailAtEachOperationAndThenNothingWorks() {
    SimulatedDisk whole = new SimulatedDisk(0);
    program(whole);
    assertThat(whole.operations()).isEqualTo(10);
    for (int operation = 1; operation <= 10; operation++) {
      SimulatedDisk disk = new SimulatedDisk(0);
      DiskFile open = disk.open("open");
      disk.cutPowerAfter(operation);
      assertThatThrownBy(() -> program(disk)).isInstanceOf(PowerCut.class);
      assertThatThrownBy(open::sizeBytes).isInstanceOf(PowerCut.class);
      assertThatThrownBy(() -> open.read(0, ByteBuffer.allocate(1))).isInstanceOf(PowerCut.class);
      assertThatThrownBy(disk::names).isInstanceOf(PowerCut.class);
      assertThatThrownBy(() -> disk.open("b")).isInstanceOf(PowerCut.class);
      assertThatThrownBy(disk::freeBytes).isInstanceOf(PowerCut.class);
      open.close();
      assertThat(disk.openFiles()).isZero();
      assertThat(disk.cutPower()).isSameAs(disk.cutPower());
    }
  }

  private static void program(SimulatedDisk disk) {
    disk.lock("lock", "me").close();
    try (DiskFile file = disk.open("a")) {
      file.write(0, utf8("content"));
      file.write(7, ByteBuffer.allocate(0));
      file.read(0, ByteBuffer.allocate(3));
      file.resize(5);
      file.force();
    }
    disk.forceNames();
    disk.replace("a", "b");
    disk.open("c").close();
    disk.delete("b");
    disk.delete("b");
    disk.forceNames();
  }

  @Test
  void theWriteThatIsInterruptedIsDoneInPart() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "o".repeat(10 * SECTOR))) {
                disk.cutPowerAfter(1);
                assertThatThrownBy(() -> file.write(0, utf8("n".repeat(10 * SECTOR))))
                    .isInstanceOf(PowerCut.class);
              }
              return content(disk.cutPower(), "a");
            },
            content ->
                Map.of(
                    "not at all", content.matches("o{5120}"),
                    "in part", content.matches("n{512,}o{512,}")));
    assertThat(found).containsOnlyKeys("not at all", "in part");
  }

  @Test
  void theForceThatIsInterruptedIsDoneOrNot() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "old")) {
                file.write(0, utf8("new"));
                disk.cutPowerAfter(1);
                assertThatThrownBy(file::force).isInstanceOf(PowerCut.class);
              }
              return content(disk.cutPower(), "a");
            },
            content -> Map.of("old", content.equals("old"), "new", content.equals("new")));
    assertThat(found).containsOnlyKeys("old", "new");
    assertThat(found.get("new")).isGreaterThan(SEEDS / 2);
  }

  @Test
  void aSeedAlwaysDoesTheSame() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(contents(messy(seed))).as("seed %d", seed).isEqualTo(contents(messy(seed)));
    }
    assertThat(contents(messy(1))).isNotEqualTo(contents(messy(3)));
  }

  private static SimulatedDisk messy(long seed) {
    SimulatedDisk disk = new SimulatedDisk(seed);
    for (String name : new String[] {"x", "y", "z"}) {
      try (DiskFile file = disk.open(name)) {
        file.write(0, utf8(name.repeat(5000)));
      }
      disk.forceNames();
    }
    return disk.cutPower();
  }

  private static Map<String, String> contents(SimulatedDisk disk) {
    Map<String, String> contents = new TreeMap<>();
    disk.names().forEach(name -> contents.put(name, content(disk, name)));
    return contents;
  }
}
