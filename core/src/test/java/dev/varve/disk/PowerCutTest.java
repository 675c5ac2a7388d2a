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
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// What a power cut does to a [SimulatedDisk]: never harm to what was forced, and each fault that
/// is promised, for a program that forces nothing. A harness whose faults do not occur proves
/// nothing.
class PowerCutTest {

  static final int SEEDS = 200;
  static final int SECTOR = SimulatedContent.SECTOR_BYTES;

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

  /// In how many of the seeds each thing was found.
  static <T> Map<String, Integer> count(
      Function<SimulatedDisk, T> program, Function<T, Map<String, Boolean>> look) {
    Map<String, Integer> found = new TreeMap<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      T left = program.apply(new SimulatedDisk(seed));
      look.apply(left).forEach((what, is) -> found.merge(what, is ? 1 : 0, Integer::sum));
    }
    found.values().removeIf(times -> times == 0);
    return found;
  }

  static DiskFile forced(SimulatedDisk disk, String content) {
    DiskFile file = disk.open("a");
    file.write(0, utf8(content));
    file.force();
    disk.forceNames();
    return file;
  }

  static void write(SimulatedDisk disk, String name, String content) {
    try (DiskFile file = disk.open(name)) {
      file.write(0, utf8(content));
      file.force();
    }
  }

  static String content(SimulatedDisk disk, String name) {
    try (DiskFile file = disk.open(name)) {
      return new String(bytes(file), ISO_8859_1);
    }
  }
}
