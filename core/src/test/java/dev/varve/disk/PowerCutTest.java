// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static dev.varve.disk.DiskContract.bytes;
import static dev.varve.disk.DiskContract.text;
import static dev.varve.disk.DiskContract.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// What a power cut does to a [SimulatedDisk]: never harm to what was forced, and each fault that
/// is promised, for a program that forces nothing. A harness whose faults do not occur proves
/// nothing.
class PowerCutTest {

  private static final int SEEDS = 200;
  private static final int SECTOR = SimulatedContent.SECTOR_BYTES;

  // ---- each fault occurs

  @Test
  void anOverwriteThatWasNotForcedMeetsEveryFault() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "o".repeat(8 * SECTOR))) {
                for (int sector = 0; sector < 8; sector++) {
                  file.write((long) sector * SECTOR, utf8("n".repeat(SECTOR)));
                }
              }
              String content = content(disk.cutPower(), "a");
              assertThat(content).hasSize(8 * SECTOR);
              return content;
            },
            content -> {
              Map<String, Boolean> faults = new HashMap<>();
              faults.put("lost", content.matches("o+"));
              faults.put("kept", content.matches("n+"));
              String before = "";
              for (int at = 0; at < content.length(); at += SECTOR) {
                String kind = kind(content.substring(at, at + SECTOR));
                faults.put(kind, true);
                if (kind.equals("new") && before.equals("old")) {
                  faults.put("reordered", true);
                }
                before = kind;
              }
              return faults;
            });
    assertThat(found)
        .containsKeys("lost", "kept", "old", "new", "zeroed", "garbled", "reordered")
        .containsKeys("torn, then old", "torn, then garbled");
    assertThat(found.get("lost") + found.get("kept")).isLessThan(SEEDS);
  }

  private static String kind(String sector) {
    if (sector.matches("o+")) {
      return "old";
    } else if (sector.matches("n+")) {
      return "new";
    } else if (sector.matches("\0+")) {
      return "zeroed";
    } else if (sector.matches("n+o+")) {
      return "torn, then old";
    } else if (sector.matches("(?s)nnn.+")) {
      return "torn, then garbled";
    }
    return "garbled";
  }

  @Test
  void anAppendThatWasNotForcedIsLostKeptOrHasAHoleOrAnEndInBetween() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "o".repeat(100))) {
                file.write(100, utf8("n".repeat(3000)));
              }
              return content(disk.cutPower(), "a");
            },
            content -> {
              assertThat(content).startsWith("o".repeat(100));
              String added = content.substring(100);
              int hole = added.indexOf("\0".repeat(SECTOR));
              return Map.of(
                  "lost", added.isEmpty(),
                  "kept", added.matches("n{3000}"),
                  "all zeros", added.matches("\0{3000}"),
                  "a hole", hole >= 0 && added.indexOf("n".repeat(SECTOR), hole) >= 0,
                  "an end in between", !added.isEmpty() && added.length() < 3000);
            });
    assertThat(found).containsOnlyKeys("lost", "kept", "all zeros", "a hole", "an end in between");
  }

  @Test
  void aTruncationThatWasNotForcedMayBeUndone() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "o".repeat(2000))) {
                file.resize(0);
                file.write(0, utf8("n".repeat(1000)));
              }
              return content(disk.cutPower(), "a");
            },
            content ->
                Map.of(
                    "undone", content.matches("o{2000}"),
                    "done", content.matches("n{1000}"),
                    "a mixture", content.contains("n") && content.contains("o")));
    assertThat(found).containsOnlyKeys("undone", "done", "a mixture");
  }

  @Test
  void ofTwoWritesTheFirstMayBeTheOneThatIsThere() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "o".repeat(9))) {
                file.write(0, utf8("f".repeat(9)));
                file.write(0, utf8("s".repeat(9)));
              }
              return content(disk.cutPower(), "a");
            },
            content ->
                Map.of(
                    "before", content.equals("ooooooooo"),
                    "first", content.equals("fffffffff"),
                    "second", content.equals("sssssssss")));
    assertThat(found).containsOnlyKeys("before", "first", "second");
  }

  @Test
  void memoryThatWasWrittenAndNotForcedIsLostOrKept() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "o".repeat(2000))) {
                MemorySegment memory = file.map(600, 10, true);
                memory.fill((byte) 'f');
                file.force();
                memory.fill((byte) 'n');
                SimulatedDisk after = disk.cutPower();
                memory.fill((byte) '!');
                return content(after, "a");
              }
            },
            content -> {
              assertThat(content.substring(0, 600) + content.substring(610)).matches("o{1990}");
              return Map.of(
                  "lost", content.startsWith("f".repeat(10), 600),
                  "kept", content.startsWith("n".repeat(10), 600),
                  "never forced at all", content.startsWith("o".repeat(10), 600),
                  "written after the cut", content.startsWith("!".repeat(10), 600));
            });
    assertThat(found).containsOnlyKeys("lost", "kept");
  }

  @Test
  void namesThatWereNotForcedMayBeUndone() {
    Map<String, Integer> found =
        count(
            disk -> {
              write(disk, "deleted", "old");
              write(disk, "replaced", "old");
              disk.forceNames();
              disk.delete("deleted");
              write(disk, "created", "new");
              write(disk, "replacing", "new");
              disk.replace("replacing", "replaced");
              return disk.cutPower();
            },
            after -> {
              String replaced = content(after, "replaced");
              assertThat(replaced).isIn("old", "new");
              if (after.exists("deleted")) {
                assertThat(content(after, "deleted")).isEqualTo("old");
              }
              if (after.exists("created")) {
                assertThat(content(after, "created")).isEqualTo("new");
              }
              boolean create = after.exists("created");
              boolean delete = !after.exists("deleted");
              boolean replace = replaced.equals("new");
              return Map.of(
                  "created", create,
                  "not created", !create,
                  "deleted", delete,
                  "not deleted", !delete,
                  "replaced", replace,
                  "not replaced", !replace,
                  "replaced, not created", replace && !create,
                  "replaced, not deleted", replace && !delete,
                  "both names lead to the new file", replace && after.exists("replacing"));
            });
    assertThat(found)
        .containsOnlyKeys(
            "created",
            "not created",
            "deleted",
            "not deleted",
            "replaced",
            "not replaced",
            "replaced, not created",
            "replaced, not deleted");
  }

  @Test
  void aFileThatReplacesAnotherBeforeItIsForcedMayBeAnything() {
    Map<String, Integer> found =
        count(
            disk -> {
              write(disk, "replaced", "old");
              disk.forceNames();
              try (DiskFile file = disk.open("replacing")) {
                file.write(0, utf8("new"));
              }
              disk.replace("replacing", "replaced");
              disk.forceNames();
              return content(disk.cutPower(), "replaced");
            },
            content ->
                Map.of(
                    "old", content.equals("old"),
                    "new", content.equals("new"),
                    "empty", content.isEmpty()));
    assertThat(found).containsOnlyKeys("new", "empty");
  }

  @Test
  void bytesOfAFailedForceMayBeLostThoughTheNextForceSucceeds() {
    Map<String, Integer> found =
        count(
            disk -> {
              try (DiskFile file = forced(disk, "o".repeat(10))) {
                file.write(0, utf8("n".repeat(10)));
                disk.failForce(0);
                assertThatThrownBy(file::force).isInstanceOf(StoreException.Io.class);
                file.force();
                assertThat(text(file, 0, 10)).isEqualTo("n".repeat(10));
              }
              return content(disk.cutPower(), "a");
            },
            content -> Map.of("lost", content.matches("o{10}"), "kept", content.matches("n{10}")));
    assertThat(found).containsOnlyKeys("lost", "kept");
    assertThat(found.get("lost") + found.get("kept")).isEqualTo(SEEDS);
  }

  @Test
  void bytesOfAFailedForceAreSafeOnceTheyAreWrittenAndForcedAgain() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      try (DiskFile file = forced(disk, "o".repeat(10))) {
        file.write(0, utf8("n".repeat(10)));
        disk.failForce(0);
        assertThatThrownBy(file::force).isInstanceOf(StoreException.Io.class);
        file.write(0, utf8("n".repeat(10)));
        file.force();
      }
      assertThat(content(disk.cutPower(), "a")).as("seed %d", seed).isEqualTo("n".repeat(10));
    }
  }

  // ---- what was forced is never harmed

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

  // ---- a cut at any operation

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

  // ---- helpers

  /// In how many of the seeds each thing was found.
  private static <T> Map<String, Integer> count(
      Function<SimulatedDisk, T> program, Function<T, Map<String, Boolean>> look) {
    Map<String, Integer> found = new TreeMap<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      T left = program.apply(new SimulatedDisk(seed));
      look.apply(left).forEach((what, is) -> found.merge(what, is ? 1 : 0, Integer::sum));
    }
    found.values().removeIf(times -> times == 0);
    return found;
  }

  private static DiskFile forced(SimulatedDisk disk, String content) {
    DiskFile file = disk.open("a");
    file.write(0, utf8(content));
    file.force();
    disk.forceNames();
    return file;
  }

  private static void write(SimulatedDisk disk, String name, String content) {
    try (DiskFile file = disk.open(name)) {
      file.write(0, utf8(content));
      file.force();
    }
  }

  private static String content(SimulatedDisk disk, String name) {
    try (DiskFile file = disk.open(name)) {
      return new String(bytes(file), ISO_8859_1);
    }
  }
}
