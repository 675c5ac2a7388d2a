// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.SimulatedDisk;
import dev.varve.sim.SimulatedTime;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Derived files that are absent on purpose: an opening makes the files without a warning, and
/// still names a file that was lost.
class LeftOutFilesTest {

  private final Furnished furnished = new Furnished();
  private final HeardLog log = new HeardLog();

  @AfterEach
  void close() {
    log.close();
  }

  static List<String> derived() {
    return StoreFiles.DERIVED;
  }

  @Test
  void theFirstOpeningOfABackupHasNothingToWarnOf() {
    SimulatedDisk copy = backup();

    Furnished.open(copy).close();

    assertThat(log.complaints()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("derived")
  void whatIsLostAfterTheFirstOpeningOfABackupIsNamed(String name) {
    SimulatedDisk copy = backup();
    Furnished.open(copy).close();
    copy.delete(name);

    Furnished.open(copy).close();

    assertThat(log.complaints()).anyMatch(said -> said.contains(name));
  }

  private SimulatedDisk backup() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk copy = BackupTrial.emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      assertThat(BackupTrial.backUp(source, store, copy, false).problems()).isEmpty();
    }
    return copy;
  }

  @Test
  void theFirstOpeningAfterAnErasureHasNothingToWarnOf() {
    SimulatedDisk disk = erased();

    Furnished.open(disk).close();

    assertThat(log.complaints()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("derived")
  void whatIsLostAfterAnErasureIsNamed(String name) {
    SimulatedDisk disk = erased();
    disk.delete(name);

    Furnished.open(disk).close();

    assertThat(log.complaints()).anyMatch(said -> said.contains(name));
  }

  @Test
  void theFirstOpeningAfterAReadmissionHasNothingToWarnOf() {
    SimulatedDisk disk = erased();
    Furnished.open(disk).readmitAndClose(SECRET);

    try (LocalStore store = Furnished.open(disk)) {
      assertThat(store.has(store.put(SECRET))).isTrue();
    }

    assertThat(log.complaints()).isEmpty();
  }

  private static final Payload SECRET = Payload.utf8("what is to go");

  private SimulatedDisk erased() {
    SimulatedDisk disk = furnished.image.disk();
    LocalStore store = Furnished.open(disk);
    EraseRequest request = new EraseRequest(Set.of(), Set.of(store.put(SECRET)), List.of());
    AgreedErasure.in(store, request);
    store.close();
    return disk;
  }

  @Test
  void filesThatAreMadeAgainOnRequestAreNoLoss() {
    SimulatedDisk disk = furnished.image.disk();

    LocalStore store =
        LocalStore.openUnderived(
            disk, Furnished.OPTIONS, SimulatedTime.standing(), PowerCutStoreTest.SMALL);

    assertThat(furnished.differences(store)).isEmpty();
    store.close();
    assertThat(log.complaints()).isEmpty();
  }
}
