// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.Disk;
import dev.varve.disk.LocalDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever has become of the file, the answers are right.
class FingerprintTableDamageTest {

  private static final UUID STORE = new UUID(11, 22);
  private static final String NAME = "things.idx";
  private static final int COUNT = 900;
  private static final int PAGE = 4096;

  @TempDir Path temp;
  private final CapturedLog log = new CapturedLog();
  private Disk disk;
  private Path file;
  private byte[] whole;
  private final ListSource source = new ListSource();

  @BeforeEach
  void makeTable() throws Exception {
    disk = LocalDisk.open(temp);
    file = temp.resolve(NAME);
    for (long i = 0; i < COUNT; i++) {
      source.add(BitMixer.of(i), i);
    }
    FingerprintTable.open(disk, NAME, 1, STORE, source).close();
    whole = Files.readAllBytes(file);
    assertThat(whole.length).isEqualTo(8 * PAGE);
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  void anyByteOfTheHeaderMayBeWrong() {
    for (int at = 0; at < 128; at++) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) (1 << (at % 8));
      assertRight(bytes, "header byte " + at);
    }
  }

  @Test
  void anyBytesOfThePagesMayBeWrong() {
    for (long seed = 0; seed < 150; seed++) {
      var random = new SplittableRandom(seed);
      byte[] bytes = whole.clone();
      int flips = 1 + random.nextInt(4);
      for (int i = 0; i < flips; i++) {
        bytes[PAGE + random.nextInt(bytes.length - PAGE)] ^= (byte) (1 + random.nextInt(255));
      }
      assertRight(bytes, "seed " + seed);
    }
  }

  @Test
  void anyPageMayBeZerosOrOnesOrNoiseOrAnother() {
    for (int page = 0; page < whole.length / PAGE; page++) {
      int from = page * PAGE;
      byte[] zeros = whole.clone();
      Arrays.fill(zeros, from, from + PAGE, (byte) 0);
      assertRight(zeros, "zeros in page " + page);
      byte[] ones = whole.clone();
      Arrays.fill(ones, from, from + PAGE, (byte) 0xff);
      assertRight(ones, "ones in page " + page);
      byte[] noise = whole.clone();
      byte[] random = new byte[PAGE];
      new SplittableRandom(page).nextBytes(random);
      System.arraycopy(random, 0, noise, from, PAGE);
      assertRight(noise, "noise in page " + page);
      byte[] other = whole.clone();
      System.arraycopy(whole, (from + PAGE) % whole.length, other, from, PAGE);
      assertRight(other, "the next page in page " + page);
    }
  }

  @Test
  void theFileMayEndAnywhere() {
    var random = new SplittableRandom(3);
    for (int page = 0; page < whole.length / PAGE; page++) {
      assertRight(Arrays.copyOf(whole, page * PAGE), "cut before page " + page);
      int within = page * PAGE + 1 + random.nextInt(PAGE - 1);
      assertRight(Arrays.copyOf(whole, within), "cut at " + within);
    }
  }

  @Test
  void theFileMayBeLonger() {
    assertRight(Arrays.copyOf(whole, whole.length + 1), "a byte longer");
    assertRight(Arrays.copyOf(whole, whole.length + PAGE), "a page longer");
    assertRight(Arrays.copyOf(whole, 2 * whole.length), "twice as long");
  }

  @Test
  void theFileMayBeMissing() throws Exception {
    Files.delete(file);
    try (var table = FingerprintTable.open(disk, NAME, 1, STORE, source)) {
      assertAnswers(table, "missing");
    }
  }

  @Test
  void theFileMayBeThatOfAnotherStoreOrLookup() throws Exception {
    var others = new ListSource();
    for (long i = 0; i < COUNT; i++) {
      others.add(BitMixer.of(1_000_000 + i), i);
    }
    FingerprintTable.open(disk, "other", 1, new UUID(11, 23), others).close();
    FingerprintTable.open(disk, "kind", 2, STORE, others).close();
    assertRight(Files.readAllBytes(temp.resolve("other")), "of another store");
    assertRight(Files.readAllBytes(temp.resolve("kind")), "another lookup");
  }

  @Test
  void damageIsFoundByPuttingToo() throws Exception {
    byte[] bytes = whole.clone();
    for (int page = 1; page < whole.length / PAGE; page++) {
      bytes[page * PAGE] ^= 1;
    }
    Files.write(file, bytes);
    try (var table = FingerprintTable.open(disk, NAME, 1, STORE, source)) {
      source.add(BitMixer.of(COUNT), COUNT);
      table.put(BitMixer.of(COUNT), COUNT);
      assertThat(table.find(BitMixer.of(COUNT), _ -> true)).isEqualTo(COUNT);
      assertThat(table.entries()).isEqualTo(COUNT + 1);
      assertAnswers(table, "put");
    }
    assertThat(isSound()).isTrue();
    assertThat(log.warnings()).last().asString().contains(NAME, "wrong page checksum");
  }

  /// The store may put before its list gives the entry; mending must not lose it.
  @Test
  void whatWasPutAheadOfTheListSurvivesMending() throws Exception {
    for (int page = 1; page < whole.length / PAGE; page++) {
      byte[] bytes = whole.clone();
      bytes[page * PAGE + 7] ^= 64;
      Files.write(file, bytes);
      try (var table = FingerprintTable.open(disk, NAME, 1, STORE, source)) {
        for (long i = COUNT; i < COUNT + 40; i++) {
          table.put(BitMixer.of(i), i);
        }
        assertAnswers(table, "page " + page);
        for (long i = COUNT; i < COUNT + 40; i++) {
          assertThat(table.find(BitMixer.of(i), _ -> true)).isEqualTo(i);
        }
      }
    }
  }

  private void assertRight(byte[] bytes, String what) {
    try {
      Files.write(file, bytes);
      try (var table = FingerprintTable.open(disk, NAME, 1, STORE, source)) {
        assertAnswers(table, what);
        assertAnswers(table, what + ", again");
      }
      try (var table = FingerprintTable.open(disk, NAME, 1, STORE, source)) {
        assertAnswers(table, what + ", reopened");
      }
      assertThat(isSound()).as(what).isTrue();
      assertThat(disk.names()).as(what).noneMatch(name -> name.endsWith(".new"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertAnswers(FingerprintTable table, String what) {
    for (long i = 0; i < COUNT; i++) {
      if (table.find(BitMixer.of(i), _ -> true) != i) {
        assertThat(table.find(BitMixer.of(i), _ -> true)).as("%s: %d", what, i).isEqualTo(i);
      }
    }
    for (long i = 2 * COUNT; i < 3 * COUNT; i++) {
      assertThat(table.find(BitMixer.of(i), _ -> true)).as("%s: %d", what, i).isEqualTo(-1);
    }
  }

  private boolean isSound() {
    var identity = new TableIdentity(STORE, 1);
    if (!(TableFile.open(disk, NAME, identity) instanceof TableFile.Found.Usable(var found))) {
      return false;
    }
    try (found) {
      boolean sound = true;
      for (long page = 0; page < found.pages().pageCount(); page++) {
        sound &= found.pages().sound(page);
      }
      return sound;
    }
  }
}
