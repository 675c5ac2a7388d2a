// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.FileAccess;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.disk.SimulatedDisk.Fault;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.AssertionFailedError;

/// A [WholeFile] on a disk whose power is cut at every step, and the canaries of that test.
class WholeFilePowerCutTest {

  private static final int SEEDS = 60;
  private static final String NAME = "manifest.json";
  private static final byte[] NOTHING = {};
  private static final byte[] FORMER = filled(1_500, 'f');
  private static final byte[] FRESH = filled(2_300, 'n');

  /// A change of a file, from the content before it to the content after it.
  private enum Change {
    REPLACE(FORMER, FRESH, file -> file.replace(FRESH)),
    FIRST_REPLACE(NOTHING, FRESH, file -> file.replace(FRESH)),
    CREATE(NOTHING, FRESH, file -> file.create(FRESH)),
    DELETE(FORMER, NOTHING, WholeFile::delete);

    private final byte[] before;
    private final byte[] after;
    private final Consumer<WholeFile> step;

    Change(byte[] before, byte[] after, Consumer<WholeFile> step) {
      this.before = before;
      this.after = after;
      this.step = step;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPowerCutLeavesTheFormerContentOrTheNewOne(Change change) {
    cutEverywhere(change, disk -> disk);
  }

  @ParameterizedTest
  @EnumSource
  void aFolderThatIsNotForcedIsCaught(Change change) {
    assertThatThrownBy(() -> cutEverywhere(change, NoForceOfNames::new))
        .isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DELETE")
  void aFileThatIsNotForcedIsCaught(Change change) {
    assertThatThrownBy(() -> cutEverywhere(change, NoForceOfFiles::new))
        .isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @EnumSource
  void aKilledProcessLeavesTheFormerContentOrTheNewOneAndTheNextOneRemovesItsDraft(Change change) {
    int left = 0;
    for (int calls = 0; calls < 12; calls++) {
      SimulatedDisk disk = prepared(change, calls);
      KilledAfter killed = new KilledAfter(disk, calls);
      try {
        change.step.accept(WholeFile.in(killed, NAME));
      } catch (Killed e) {
        // as planned
      }
      SimulatedDisk found = killed.found == null ? disk.kill() : killed.found;
      assertEither(change, found);
      left += found.names().size() - (found.exists(NAME) ? 1 : 0);
      WholeFile.in(found, NAME).replace(FORMER);
      assertThat(found.names()).containsExactly(NAME);
    }
    assertThat(left > 0).as("drafts were left").isEqualTo(change != Change.DELETE);
  }

  @ParameterizedTest
  @EnumSource(names = {"REPLACE", "FIRST_REPLACE", "CREATE"})
  void aFullDiskIsRefusedAndLeavesWhatWasThere(Change change) {
    SimulatedDisk disk = prepared(change, 1);
    List<String> names = disk.names();
    disk.failAfterWrites(0, Fault.FULL);
    assertThatThrownBy(() -> change.step.accept(WholeFile.in(disk, NAME)))
        .isInstanceOf(StoreException.Full.class);
    disk.repair();
    assertThat(content(disk)).isEqualTo(change.before);
    assertThat(disk.names()).isEqualTo(names);
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void aForceThatFailsLeavesWhatWasThere() {
    SimulatedDisk disk = prepared(Change.REPLACE, 1);
    disk.failForce(0);
    assertThatThrownBy(() -> WholeFile.in(disk, NAME).replace(FRESH))
        .isInstanceOf(StoreException.Io.class);
    assertThat(content(disk)).isEqualTo(FORMER);
    assertThat(disk.names()).containsExactly(NAME);
  }

  @Test
  void aReplacementForSoonForcesNothing() {
    SimulatedDisk disk = prepared(Change.REPLACE, 1);
    long forces = disk.forces() + disk.nameForces();
    WholeFile.in(disk, NAME).replaceSoon(FRESH);
    assertThat(content(disk)).isEqualTo(FRESH);
    assertThat(disk.forces() + disk.nameForces()).isEqualTo(forces);
  }

  private static void cutEverywhere(Change change, UnaryOperator<Disk> view) {
    for (long seed = 0; seed < SEEDS; seed++) {
      boolean done = false;
      for (long step = 1; !done; step++) {
        SimulatedDisk disk = prepared(change, seed);
        disk.cutPowerAfter(step);
        try {
          change.step.accept(WholeFile.in(view.apply(disk), NAME));
          done = true;
        } catch (PowerCut e) {
          // at this step
        }
        SimulatedDisk found = disk.cutPower();
        if (done) {
          assertThat(content(found)).as("seed %d, done", seed).isEqualTo(change.after);
        } else {
          assertEither(change, found);
        }
        WholeFile.in(found, NAME).replace(FORMER);
        assertThat(found.names()).containsExactly(NAME);
      }
    }
  }

  private static void assertEither(Change change, Disk found) {
    byte[] content = content(found);
    if (!Arrays.equals(content, change.before) && !Arrays.equals(content, change.after)) {
      throw new AssertionFailedError("neither the former content nor the new one");
    }
  }

  private static SimulatedDisk prepared(Change change, long seed) {
    SimulatedDisk disk = new SimulatedDisk(seed);
    if (change.before.length > 0) {
      WholeFile.in(disk, NAME).replace(change.before);
    }
    return disk;
  }

  private static byte[] content(Disk disk) {
    if (!disk.exists(NAME)) {
      return NOTHING;
    }
    try (DiskFile file = disk.open(NAME)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      int _ = file.read(0, bytes);
      return bytes.array();
    }
  }

  private static byte[] filled(int size, char with) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }

  private static final class NoForceOfNames extends ForwardingDisk {
    NoForceOfNames(Disk disk) {
      super(disk);
    }

    @Override
    public void forceNames() {}
  }

  private static final class NoForceOfFiles extends ForwardingDisk {
    NoForceOfFiles(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {}
  }

  /// A disk whose process is killed instead of the call after a number of calls.
  private static final class KilledAfter extends ForwardingDisk {
    private final SimulatedDisk simulated;
    private int calls;
    private @Nullable SimulatedDisk found;

    KilledAfter(SimulatedDisk disk, int calls) {
      super(disk);
      this.simulated = disk;
      this.calls = calls;
    }

    private void call() {
      if (found == null && calls-- == 0) {
        found = simulated.kill();
      }
      if (found != null) {
        throw new Killed();
      }
    }

    @Override
    protected void write(DiskFile file, long position, ByteBuffer source) {
      call();
      super.write(file, position, source);
    }

    @Override
    protected void force(DiskFile file) {
      call();
      super.force(file);
    }

    @Override
    public DiskFile createDraft(String target, FileAccess access) {
      call();
      return super.createDraft(target, access);
    }

    @Override
    public void claim(String from, String to) {
      call();
      super.claim(from, to);
    }

    @Override
    public void replace(String from, String to) {
      call();
      super.replace(from, to);
    }

    @Override
    public void forceNames() {
      call();
      super.forceNames();
    }

    @Override
    public void delete(String name) {
      call();
      super.delete(name);
    }
  }

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
