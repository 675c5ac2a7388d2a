// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreRootRecordTest {

  private static final FormatPage PAGE = FormatPage.of("store-root");
  private static final StoreRoot ROOT = new StoreRoot(Example.STORE_ID, Example.CREATED_AT);

  private static byte[] written() {
    SimulatedDisk disk = new SimulatedDisk(0);
    ROOT.write(disk);
    try (DiskFile file = disk.open(StoreRoot.FILE)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(0, bytes);
      return bytes.array();
    }
  }

  private static SimulatedDisk diskWith(byte[] root) {
    SimulatedDisk disk = new SimulatedDisk(0);
    try (DiskFile file = disk.open(StoreRoot.FILE)) {
      file.write(0, ByteBuffer.wrap(root));
    }
    return disk;
  }

  private static byte[] withVersion(int version) {
    byte[] root = written();
    MemorySegment bytes = MemorySegment.ofArray(root);
    bytes.set(LittleEndian.U32, 8, version);
    bytes.set(LittleEndian.U32, 60, LittleEndian.crc32(bytes, 0, 60));
    return root;
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Record").differences(StoreRoot.LAYOUT)).isEmpty();
    assertThat(StoreRoot.LAYOUT.byteSize()).isEqualTo(StoreRoot.SIZE_BYTES);
  }

  @Test
  void thePageShowsTheWholeFile() {
    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(written()));
  }

  @Test
  void everyFieldIsWrittenWhereTheLayoutHasIt() {
    MemorySegment bytes = MemorySegment.ofArray(written());

    assertThat(Bytes.fields(StoreRoot.LAYOUT, bytes))
        .isEqualTo(
            Map.of(
                "magic",
                StoreRoot.MAGIC,
                "version",
                (long) StoreRoot.VERSION_WHOLE,
                "switching",
                0L,
                "store_id_high",
                Example.STORE_ID.getMostSignificantBits(),
                "store_id_low",
                Example.STORE_ID.getLeastSignificantBits(),
                "created_at_unix_ms",
                Example.CREATED_MS,
                "erasures",
                0L,
                "holds_placed",
                0L,
                "reserved",
                Bytes.zeros(8),
                "crc32",
                Integer.toUnsignedLong(LittleEndian.crc32(bytes, 0, 60))));
  }

  @Test
  void aHoldIsRecordedAndOutlastsErasures() {
    SimulatedDisk disk = new SimulatedDisk(0);
    ROOT.afterHold().write(disk);
    StoreRoot.read(disk).afterErasure().switched().write(disk);

    StoreRoot read = StoreRoot.read(disk);

    assertThat(read.holdsPlaced()).isTrue();
    assertThat(read.erasures()).isEqualTo(1);
    assertThat(ROOT.afterHold().version()).isEqualTo(StoreRoot.VERSION_WHOLE);
  }

  @Test
  void whatIsWrittenIsReadAgainAndIsThereAfterAPowerCut() {
    SimulatedDisk disk = new SimulatedDisk(0);
    ROOT.write(disk);

    assertThat(StoreRoot.read(disk.cutPower())).isEqualTo(ROOT);
    assertThat(ROOT.shortId()).isEqualTo(Example.SHORT_ID);
  }

  /// A version that knows 1 alone refuses what it would take for damage.
  @Test
  void aStoreFromWhichSomethingWasErasedHasTheNextVersion() {
    SimulatedDisk disk = new SimulatedDisk(0);
    StoreRoot erased = ROOT.afterErasure();
    erased.write(disk);

    assertThat(StoreRoot.read(disk)).isEqualTo(erased);
    assertThat(erased.switching()).isTrue();
    assertThat(erased.switched())
        .isEqualTo(new StoreRoot(ROOT.storeId(), ROOT.createdAt(), 1, false, false));
    try (DiskFile file = disk.open(StoreRoot.FILE)) {
      ByteBuffer bytes = ByteBuffer.allocate(StoreRoot.SIZE_BYTES);
      file.read(0, bytes);
      assertThat(MemorySegment.ofArray(bytes.array()).get(LittleEndian.U32, 8)).isEqualTo(2);
    }
  }

  @Test
  void everyDamagedByteIsRefused() {
    Bytes.eachDamaged(
        written(),
        damaged ->
            assertThatThrownBy(() -> StoreRoot.read(diskWith(damaged)))
                .isInstanceOf(StoreException.class));
  }

  @Test
  void damageIsToldFromOtherFilesAndFromOtherVersions() {
    byte[] damaged = written();
    damaged[20] ^= 1;

    assertThatThrownBy(() -> StoreRoot.read(diskWith(damaged)))
        .isInstanceOfSatisfying(
            StoreException.Corrupt.class, e -> assertThat(e.file()).isEqualTo("varve.store"));
    assertThatThrownBy(() -> StoreRoot.read(diskWith("hello".getBytes())))
        .isInstanceOf(StoreException.NoStore.class);
    assertThatThrownBy(() -> StoreRoot.read(diskWith(new byte[64])))
        .as("zeros, which a power cut may leave")
        .isInstanceOf(StoreException.Corrupt.class);
    assertThatThrownBy(() -> StoreRoot.read(new SimulatedDisk(0)))
        .isInstanceOf(StoreException.NoStore.class);
    assertThatThrownBy(() -> StoreRoot.read(diskWith(withVersion(3))))
        .isInstanceOf(StoreException.FormatTooNew.class);
    assertThatThrownBy(() -> StoreRoot.read(diskWith(withVersion(0))))
        .isInstanceOf(StoreException.FormatTooOld.class);
  }

  @Test
  void aFolderWithLeftoversAloneIsVacant() {
    SimulatedDisk disk = new SimulatedDisk(0);
    assertThat(StoreRoot.isInOrVacant(disk, List.of("a"))).isTrue();
    disk.open("a").close();
    assertThat(StoreRoot.isInOrVacant(disk, List.of("a", "b"))).isTrue();
    disk.open("c").close();
    assertThat(StoreRoot.isInOrVacant(disk, List.of("a", "b"))).isFalse();
    assertThat(StoreRoot.isIn(disk)).isFalse();
    ROOT.write(disk);
    assertThat(StoreRoot.isInOrVacant(disk, List.of())).isTrue();
    assertThat(StoreRoot.isIn(disk)).isTrue();
  }
}
