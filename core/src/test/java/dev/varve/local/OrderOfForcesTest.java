// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Durability;
import dev.varve.Payload;
import dev.varve.disk.AppendFile;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.sim.SimulatedTime;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What is written and forced in which order, where a power cut that would show the difference is
/// too rare to be met.
class OrderOfForcesTest {

  /// Notes what is asked of a disk.
  private static final class Noting extends ForwardingDisk {
    final List<String> calls = new ArrayList<>();

    Noting(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {
      calls.add("force " + file.name());
      file.force();
    }

    @Override
    protected void write(DiskFile file, long position, ByteBuffer source) {
      calls.add("write " + file.name() + " " + position + " " + source.remaining());
      file.write(position, source);
    }

    @Override
    public void forceNames() {
      calls.add("force names");
      super.forceNames();
    }
  }

  private static Payload noise(int seed, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  @Test
  void aCheckpointForcesJournalFilesAndFolderBeforeItIsWritten() {
    Noting disk = new Noting(new SimulatedDisk(0));
    LocalStore store = History.open(disk);
    store.createContext();
    store.put(noise(1, 100));
    disk.calls.clear();
    store.close();

    int checkpoint = first(disk, "write checkpoint.tbl");
    assertThat(disk.calls.subList(0, checkpoint))
        .containsSubsequence("force journal.a", "force blobs.pack", "force names")
        .contains("force turns.log", "force turns.meta", "force heads.log", "force heads.tbl")
        .contains("force types.tbl", "force overlays.log", "force blobs.idx");
    assertThat(disk.calls.indexOf("force journal.a"))
        .as("heads never run ahead of the turns they lead to")
        .isLessThan(first(disk, "write heads.tbl"));
    assertThat(disk.calls.subList(checkpoint, disk.calls.size())).contains("force checkpoint.tbl");
  }

  private static int first(Noting disk, String call) {
    for (int i = 0; i < disk.calls.size(); i++) {
      if (disk.calls.get(i).startsWith(call)) {
        return i;
      }
    }
    throw new AssertionError("no " + call + " in " + disk.calls);
  }

  /// No slot may lead further than the header says, even if the power goes in between.
  @Test
  void theHeaderOfTheHeadsIsForcedBeforeTheirSlotsAreWritten() {
    Noting disk = new Noting(new SimulatedDisk(0));
    try (AppendFile file = AppendFile.open(disk, HeadTable.FILE, FileGrowth.DEFAULTS)) {
      HeadTable table = new HeadTable(file, 7);
      table.put(new HeadRecord(1, 0, 0, 100, 0, 100, null, 1));
      table.freeze();
      table.save(1, 0, 1);
    }

    assertThat(disk.calls)
        .containsExactly(
            "write heads.tbl 0 128",
            "force heads.tbl",
            "write heads.tbl 128 128",
            "force heads.tbl");
  }

  /// After a commit the journal is forced before anything is written where it belongs, so that what
  /// stands there proves that the journal had it.
  @Test
  void theJournalIsForcedBeforeACommitIsWrittenWhereItBelongs() {
    Noting disk = new Noting(new SimulatedDisk(0));
    LocalStore store = History.open(disk);
    store.createContext();
    disk.calls.clear();
    store.put(noise(1, 100));

    assertThat(disk.calls.getFirst()).startsWith("write journal.a");
    assertThat(disk.calls.get(1)).isEqualTo("force journal.a");
    assertThat(disk.calls.subList(2, disk.calls.size()))
        .anyMatch(c -> c.startsWith("write blobs.pack"));
    store.close();
  }

  /// A force that failed may have left bytes that the system has and the disk never gets.
  @Test
  void largeRecordsThatWereNotForcedAreWrittenAgainInRecovery() {
    SimulatedDisk first = new SimulatedDisk(0);
    LocalStore store = History.open(first, SimulatedTime.standing(), Durability.LET_THE_SYSTEM);
    store.put(noise(1, 5000));
    Noting disk = new Noting(first.kill());
    History.abandon(store);
    LocalStore again = History.open(disk);

    long written =
        disk.calls.stream()
            .filter(call -> call.startsWith("write blobs.pack 0 "))
            .mapToLong(call -> Long.parseLong(call.substring("write blobs.pack 0 ".length())))
            .max()
            .orElse(0);
    assertThat(written).isGreaterThanOrEqualTo(5000);
    assertThat(again.get(Blake3.hash(noise(1, 5000)))).isEqualTo(noise(1, 5000));
    again.close();
  }
}
