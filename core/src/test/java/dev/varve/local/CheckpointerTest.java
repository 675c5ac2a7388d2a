// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import java.lang.System.Logger.Level;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CheckpointerTest {

  private static final StoreGeometry GEOMETRY = PowerCutStoreTest.SMALL;

  private final SimulatedDisk disk = new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);
  private final StoreRoot root = StorePlace.make(disk, Instant.EPOCH);
  private final StoreFiles files = new StoreFiles(disk, root, History.OPTIONS, GEOMETRY);

  private static HeadRecord head(long contextId) {
    return new HeadRecord(contextId, 0, 0, 100, 0, 100, null, 1);
  }

  private boolean isInFile(long contextId) {
    long offset = contextId * HeadRecord.SIZE_BYTES;
    return offset + HeadRecord.SIZE_BYTES <= files.headSlots().endBytes()
        && HeadRecord.read(files.headSlots().at(offset, HeadRecord.SIZE_BYTES), 0, files.shortId())
            .isPresent();
  }

  /// A head that is put once the checkpoint has begun may lead to a turn that the checkpoint does
  /// not cover. The checkpoint's thread cannot set heads aside as long as this thread has the lock
  /// of the table; so the heads were set aside when [Checkpointer#begin] returns, or too late.
  @Test
  void headsThatComeAfterItsBeginningAreNotWritten() {
    files.openParts(StorePosition.START, null, Level.INFO);
    HeadTable heads = files.heads;
    Checkpointer checkpointer =
        new Checkpointer(disk, files, new Journal(disk, GEOMETRY.journal()), 0);
    heads.put(head(1));

    synchronized (heads) {
      checkpointer.begin(StorePosition.START);
      heads.put(head(2));
    }
    checkpointer.await();

    assertThat(isInFile(1)).isTrue();
    assertThat(isInFile(2)).isFalse();
    files.close(false);
  }

  private static final class FaultyDisk extends ForwardingDisk {

    private volatile boolean gone;

    FaultyDisk(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {
      if (gone) {
        throw new InternalError("a fault occurred in an unsafe memory access operation");
      }
      file.force();
    }
  }

  /// A fault in mapped memory, as of a disk that goes away, ends the checkpoint's thread.
  @Test
  void aCheckpointThatEndsInAnErrorRefusesTheNext() {
    FaultyDisk faultyDisk = new FaultyDisk(disk);
    StoreFiles faulty = new StoreFiles(faultyDisk, root, History.OPTIONS, GEOMETRY);
    faulty.openParts(StorePosition.START, null, Level.INFO);
    Journal journal = new Journal(disk, GEOMETRY.journal());
    Checkpointer checkpointer = new Checkpointer(disk, faulty, journal, 0);
    faultyDisk.gone = true;

    checkpointer.begin(StorePosition.START);

    assertThatThrownBy(checkpointer::await)
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("unsafe memory access");
    faultyDisk.gone = false;
    faulty.close(false);
  }
}
