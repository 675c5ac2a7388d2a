// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What makes a folder a store, and what is refused for which reason.
class StoreCreationTest {

  private static HeardLog log;
  private static DiskImage image;

  @TempDir Path folder;

  @BeforeAll
  static void makeStore() {
    log = new HeardLog();
    SimulatedDisk disk = new SimulatedDisk(0);
    LocalStore store = History.open(disk);
    store.put(Payload.utf8("something"));
    store.close();
    image = DiskImage.of(disk);
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  private static void assertRefused(
      DiskImage image, Class<? extends StoreException> type, String message) {
    SimulatedDisk disk = image.disk();
    assertThatThrownBy(() -> History.open(disk)).isInstanceOf(type).hasMessageContaining(message);
    assertThat(disk.openFiles()).as("files left open").isZero();
    assertThat(DiskImage.of(disk).files())
        .as("nothing is touched")
        .containsAllEntriesOf(image.files());
    assertThatThrownBy(() -> History.open(disk)).as("the lock is free again").isInstanceOf(type);
  }

  private static byte[] withVersion(int version) {
    byte[] root = image.file(StoreRoot.FILE);
    MemorySegment bytes = MemorySegment.ofArray(root);
    bytes.set(LittleEndian.U32, 8, version);
    bytes.set(LittleEndian.U32, 60, LittleEndian.crc32(bytes, 0, 60));
    return root;
  }

  @Test
  void aFolderWithOtherFilesIsNoStore() {
    assertRefused(
        new DiskImage(Map.of("diary.txt", new byte[10])),
        StoreException.NoStore.class,
        "other files");
    assertRefused(image.without(StoreRoot.FILE), StoreException.NoStore.class, "no varve.store");
  }

  @Test
  void foreignBytesAreNoRoot() {
    byte[] foreign = "#!/bin/sh\nsomething else entirely\n".getBytes(StandardCharsets.UTF_8);
    assertRefused(
        image.with(StoreRoot.FILE, foreign),
        StoreException.NoStore.class,
        "not the root of a store");
  }

  @Test
  void laterAndForgottenVersionsAreNamed() {
    assertRefused(
        image.with(StoreRoot.FILE, withVersion(3)),
        StoreException.FormatTooNew.class,
        "format version 3, this version reads up to 2");
    assertRefused(
        image.with(StoreRoot.FILE, withVersion(0)),
        StoreException.FormatTooOld.class,
        "format version 0, this version reads from 1");
  }

  @Test
  void aDamagedRootIsCorrupt() {
    for (int offset = 12; offset < StoreRoot.SIZE_BYTES; offset++) {
      assertRefused(
          image.withFlip(StoreRoot.FILE, offset), StoreException.Corrupt.class, StoreRoot.FILE);
    }
    assertRefused(image.with(StoreRoot.FILE, new byte[0]), StoreException.Corrupt.class, "0 bytes");
    assertRefused(image.with(StoreRoot.FILE, new byte[64]), StoreException.Corrupt.class, "zeros");
    for (int length = 12; length < StoreRoot.SIZE_BYTES; length += 13) {
      assertRefused(
          image.with(StoreRoot.FILE, Arrays.copyOf(image.file(StoreRoot.FILE), length)),
          StoreException.Corrupt.class,
          StoreRoot.FILE);
    }
  }

  @Test
  void leftoversOfAnUnfinishedCreationAreInNobodysWay() {
    Map<String, byte[]> leftovers = new TreeMap<>();
    leftovers.put(StoreRoot.FILE_NEW, new byte[5000]);
    leftovers.put("checkpoint.tbl", image.file("checkpoint.tbl"));
    SimulatedDisk disk = new DiskImage(leftovers).disk();
    LocalStore store = History.open(disk);
    assertThat(store.counts().blobs()).isZero();
    store.put(Payload.utf8("first"));
    store.close();
    LocalStore again = History.open(disk);
    assertThat(again.counts().blobs()).isEqualTo(1);
    assertThat(again.check().problems()).isEmpty();
    again.close();
  }

  /// Wherever a creation breaks off, the next opening makes a store or finds a good one.
  @Test
  void aCreationMayBreakOffAnywhere() {
    for (int seed = 0; seed < 3; seed++) {
      boolean made = false;
      for (int operation = 1; !made; operation++) {
        SimulatedDisk disk = new SimulatedDisk(seed, DiskImage.FILE_CAPACITY_BYTES);
        disk.cutPowerAfter(operation);
        try {
          History.open(disk).close();
          made = true;
        } catch (PowerCut e) {
          // the next opening has to cope
        }
        SimulatedDisk after = disk.cutPower();
        LocalStore store = History.open(after);
        store.put(Payload.utf8("first"));
        store.close();
        LocalStore again = History.open(after.cutPower());
        assertThat(again.counts().blobs()).isEqualTo(1);
        assertThat(again.check().problems()).isEmpty();
        again.close();
      }
    }
  }

  @Test
  void anExistingStoreIsAskedForByName() throws Exception {
    assertThatThrownBy(
            () -> LocalStore.openExisting(folder.resolve("absent"), StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.NoStore.class);
    assertThat(folder.resolve("absent")).doesNotExist();
    assertThatThrownBy(() -> LocalStore.openExisting(folder, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.NoStore.class);
    try (var files = Files.list(folder)) {
      assertThat(files).as("nothing was made").isEmpty();
    }
  }
}
