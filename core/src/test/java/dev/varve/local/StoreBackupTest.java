// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static dev.varve.local.BackupTrial.append;
import static dev.varve.local.BackupTrial.backUp;
import static dev.varve.local.BackupTrial.emptyDisk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BackupReport;
import dev.varve.ContextId;
import dev.varve.Durability;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.blob.BlobPack;
import dev.varve.disk.Disk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.sim.SimulatedTime;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TypeTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A backup: the copy, its continuation, power cuts and damage on either side.
class StoreBackupTest {

  private static Furnished furnished;

  @BeforeAll
  static void furnish() {
    furnished = new Furnished();
  }

  private static List<String> primary() {
    return LostFileTest.primary();
  }

  // ---- the copy

  @Test
  void theCopyIsAStoreThatAnswersAsTheOriginalDid() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    LocalStore store = Furnished.open(source);

    BackupReport report = backUp(source, store, target, false);
    append(store, 0, 10); // later, and not in the copy

    assertThat(report.problems()).isEmpty();
    assertThat(report.turns()).isEqualTo(Furnished.TURNS);
    assertThat(report.copiedBytes()).isEqualTo(report.totalBytes()).isPositive();
    assertThat(report.newest()).isNotNull();
    try (LocalStore copy = Furnished.open(target)) {
      assertThat(copy.storeId()).isEqualTo(store.storeId()).isEqualTo(report.storeId());
      assertThat(furnished.differences(copy)).isEmpty();
      assertThat(copy.check().problems()).isEmpty();
      assertThat(copy.counts().turns()).isEqualTo(Furnished.TURNS);
    }
    store.close();
  }

  @Test
  void aLaterRunCopiesOnlyWhatIsNew() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      BackupReport first = backUp(source, store, target, false);
      append(store, 0, 10);

      BackupReport second = backUp(source, store, target, false);
      BackupReport third = backUp(source, store, target, true);

      assertThat(second.copiedBytes())
          .isEqualTo(second.totalBytes() - first.totalBytes())
          .isPositive()
          .isLessThan(10_000);
      assertThat(second.turns()).isEqualTo(Furnished.TURNS + 10);
      assertThat(third.copiedBytes()).isZero();
      assertThat(third.problems()).isEmpty();
    }
    assertAnswersWith(target, Furnished.TURNS + 10);
  }

  @Test
  void aBackupThatWasOpenedIsContinued() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      backUp(source, store, target, false);
      assertAnswersWith(target, Furnished.TURNS);
      append(store, 0, 3);

      assertThat(backUp(source, store, target, true).problems()).isEmpty();
    }
    assertAnswersWith(target, Furnished.TURNS + 3);
  }

  private static void assertAnswersWith(Disk target, long turns) {
    try (LocalStore copy = Furnished.open(target)) {
      assertThat(copy.counts().turns()).isEqualTo(turns);
      assertThat(copy.check().problems()).isEmpty();
    }
  }

  @Test
  void backupsOfAStoreInUseAreMomentsOfTheStore(@TempDir Path folder) throws Exception {
    Path place = folder.resolve("store");
    try (LocalStore store = LocalStore.open(place, StoreOptions.DEFAULTS)) {
      List<ContextId> contexts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        contexts.add(store.createContext().id());
      }
      AtomicBoolean done = new AtomicBoolean();
      List<Thread> writers = new ArrayList<>();
      for (ContextId context : contexts) {
        writers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int i = 0; !done.get(); i++) {
                        store.append(context, Furnished.newTurn(i % 500));
                      }
                    }));
      }
      for (int run = 0; run < 10; run++) {
        long before = store.counts().turns();
        BackupReport report;
        try (StoreBackup backup =
            StoreBackup.begin(place, store.backupPoint(), folder.resolve("backup"))) {
          report = backup.run(run % 3 == 2, ReadProgress.NONE);
        }
        assertThat(report.problems()).isEmpty();
        assertThat(report.turns()).isGreaterThanOrEqualTo(before);
        try (LocalStore copy =
            LocalStore.openExisting(folder.resolve("backup"), StoreOptions.DEFAULTS)) {
          assertThat(copy.check().problems()).isEmpty();
          assertThat(copy.counts().turns()).isEqualTo(report.turns());
        }
      }
      done.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
    try (Stream<Path> files = Files.list(folder.resolve("backup"))) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void whatIsCopiedOfAStoreThatDoesNotForceIsForcedFirst() {
    SimulatedDisk source = emptyDisk();
    SimulatedDisk target = emptyDisk();
    LocalStore store =
        LocalStore.open(
            source,
            StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM),
            SimulatedTime.standing(),
            PowerCutStoreTest.SMALL);
    store.createContext();
    append(store, 0, 50);

    backUp(source, store, target, false);
    SimulatedDisk found = source.cutPower();

    try (LocalStore again = Furnished.open(found)) {
      assertThat(again.counts().turns()).isEqualTo(50);
      assertThat(backUp(found, again, target, true).problems()).isEmpty();
    }
  }

  // ---- runs that break off

  @Test
  void aCompletedBackupSurvivesAPowerCut() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      backUp(source, store, target, false);
    }
    assertMoment(target.cutPower(), Furnished.TURNS);
  }

  /// A run that breaks off at a moment that a number names.
  private interface BrokenRun {
    /// Returns the disk that is found afterwards, empty if the run was complete before the moment.
    Optional<SimulatedDisk> run(int moment, SimulatedDisk source, LocalStore store, Disk target);
  }

  @Test
  void thePowerMayGoAtAnyOperationOfARun() {
    assertMayBreakOffAnywhere(StoreBackupTest::cutPower, 30);
  }

  @Test
  void aRunMayEndAtAnyMoment() {
    assertMayBreakOffAnywhere(StoreBackupTest::end, 5);
  }

  private static Optional<SimulatedDisk> cutPower(
      int moment, SimulatedDisk source, LocalStore store, Disk target) {
    SimulatedDisk disk = (SimulatedDisk) target;
    disk.cutPowerAfter(moment);
    try {
      backUp(source, store, disk, false);
      return Optional.empty();
    } catch (PowerCut e) {
      return Optional.of(disk.cutPower());
    }
  }

  private static Optional<SimulatedDisk> end(
      int moment, SimulatedDisk source, LocalStore store, Disk target) {
    int[] left = {moment};
    try (StoreBackup backup = StoreBackup.begin(source, store.backupPoint(), target)) {
      backup.run(
          false,
          (_, _) -> {
            if (--left[0] == 0) {
              throw new IllegalStateException("the end");
            }
          });
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(DiskImage.of(target).disk());
    }
  }

  @Test
  void whatARunLeftBehindTheBackupNeverCountsAlsoAfterTheCopyWasUsedAndKilled() {
    SimulatedDisk source = furnished.image.disk();
    try (LocalStore store = Furnished.open(source)) {
      SimulatedDisk target = emptyDisk();
      backUp(source, store, target, false);
      append(store, 0, 60);
      SimulatedDisk left = null;
      for (int moment = 1; ; moment++) {
        Optional<SimulatedDisk> found = end(moment, source, store, DiskImage.of(target).disk());
        if (found.isEmpty()) {
          break;
        }
        left = found.get(); // of the last moment, at which everything but the checkpoint is there
      }
      assertThat(left).isNotNull();
      LocalStore copy =
          LocalStore.open(
              left, StoreOptions.DEFAULTS, SimulatedTime.standing(), PowerCutStoreTest.SMALL);
      append(copy, 700, 1);

      assertAnswersWith(left.kill(), Furnished.TURNS + 1);
    }
  }

  private static void assertMayBreakOffAnywhere(BrokenRun run, int momentsMin) {
    int moment = 1;
    boolean first = true;
    boolean second = true;
    for (; first || second; moment++) {
      SimulatedDisk source = furnished.image.disk();
      try (LocalStore store = Furnished.open(source)) {
        Optional<SimulatedDisk> found = run.run(moment, source, store, emptyDisk());
        first = found.isPresent();
        SimulatedDisk target = found.orElseGet(BackupTrial::emptyDisk);
        if (target.exists(StoreRoot.FILE)) {
          assertMoment(target, Furnished.TURNS);
        } else if (first) {
          assertThatThrownBy(
                  () -> Furnished.open(DiskImage.of(target).with("x", new byte[1]).disk()))
              .isInstanceOf(StoreException.NoStore.class);
        }
        assertThat(backUp(source, store, target, true).problems()).isEmpty();
        assertMoment(target, Furnished.TURNS);

        append(store, 0, 60);
        Optional<SimulatedDisk> foundAgain =
            run.run(moment, source, store, DiskImage.of(target).disk());
        second = foundAgain.isPresent();
        SimulatedDisk again = foundAgain.orElse(target);
        assertMoment(again, Furnished.TURNS, Furnished.TURNS + 60);
        append(store, 60, 5);
        assertThat(backUp(source, store, again, true).problems()).isEmpty();
        assertMoment(again, Furnished.TURNS + 65);
      }
    }
    assertThat(moment).isGreaterThan(momentsMin);
  }

  /// Asserts that the backup on a disk, opened elsewhere, is one of a few moments of the store.
  private static void assertMoment(Disk disk, Integer... turns) {
    try (LocalStore copy = Furnished.open(DiskImage.of(disk).disk())) {
      assertThat((int) copy.counts().turns()).isIn((Object[]) turns);
      assertThat(copy.check().problems()).isEmpty();
      assertThat(furnished.differences(copy).keySet())
          .allMatch(what -> what.equals("contexts") || what.endsWith(" of 1"));
    }
  }

  // ---- damage

  @ParameterizedTest
  @MethodSource("primary")
  void damageOfTheStoreIsNamedAndHarmsNoBackup(String file) {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      backUp(source, store, target, false);
    }
    int offset = file.equals(BlobPack.FILE) || file.equals(TypeTable.FILE) ? 100 : 10;
    SimulatedDisk damaged = DiskImage.of(source).withFlip(file, offset).disk();
    try (LocalStore store = Furnished.open(damaged)) {
      append(store, 0, 3);

      BackupReport report = backUp(damaged, store, target, true);

      assertThat(report.problems()).hasSize(1);
      assertThat(report.problems().getFirst().file()).isEqualTo(file);
      assertThat(report.problems().getFirst().what())
          .contains("damaged in the store, whole in the backup");
    }
    assertAnswersWith(target, Furnished.TURNS + 3);
  }

  @Test
  void damageInTheLastBlockOfTheStoreDoesNotReachTheBackup() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      backUp(source, store, target, false);
    }
    DiskImage image = DiskImage.of(source);
    int last = image.file(TurnLog.META).length - 1;
    // Without its checkpoint, which would mend the last block.
    SimulatedDisk damaged = image.withFlip(TurnLog.META, last).without(Checkpoint.FILE).disk();
    try (LocalStore store = Furnished.open(damaged)) {
      assertThat(backUp(damaged, store, target, true).problems()).isNotEmpty();
    }
    assertAnswersWith(target, Furnished.TURNS);
  }

  @ParameterizedTest
  @MethodSource("primary")
  void damageOfTheBackupIsMended(String file) {
    SimulatedDisk source = furnished.image.disk();
    try (LocalStore store = Furnished.open(source)) {
      SimulatedDisk whole = emptyDisk();
      backUp(source, store, whole, false);
      SimulatedDisk target = DiskImage.of(whole).withFlip(file, 10).disk();

      BackupReport report = backUp(source, store, target, true);

      assertThat(report.problems()).isEmpty();
      assertThat(report.mendedBytes()).isPositive();
      assertThat(DiskImage.of(target).file(file)).isEqualTo(DiskImage.of(whole).file(file));
      assertAnswersWith(target, Furnished.TURNS);
    }
  }

  @Test
  void damageAmongTheNewRecordsIsNamed() {
    SimulatedDisk source = furnished.image.withFlip(TurnLog.LOG, 81).disk(); // in the second turn
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      BackupReport report = backUp(source, store, target, false);

      assertThat(report.problems())
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.file()).isEqualTo(TurnLog.LOG);
                assertThat(problem.offset()).isEqualTo(80);
              });
      assertThat(report.turns()).isEqualTo(Furnished.TURNS);
    }
  }

  @Test
  void aReportOfAnEmptyStoreHasNoTurn() {
    SimulatedDisk source = emptyDisk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      BackupReport report = backUp(source, store, target, true);
      assertThat(report.newest()).isNull();
      assertThat(report.totalBytes()).isZero();
    }
    try (Store copy = Furnished.open(target)) {
      assertThat(copy.contexts(null, 10)).isEmpty();
      assertThat(copy.counts().turns()).isZero();
    }
  }
}
