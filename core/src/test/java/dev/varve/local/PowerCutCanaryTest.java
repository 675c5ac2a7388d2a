// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Checkpoint;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The canaries of [PowerCutStoreTest]: if a promise is broken on which the store stands, its runs
/// fail.
///
/// What the store promises itself is broken on its way to the disk and back: a journal whose
/// checksums always fit is a store that does not look at them.
class PowerCutCanaryTest {

  private static final int SEEDS = 500;

  private static HeardLog log;

  @BeforeAll
  static void listen() {
    log = new HeardLog();
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  static Stream<String> broken() {
    return BROKEN.keySet().stream().sorted();
  }

  private static final Map<String, UnaryOperator<Disk>> BROKEN =
      Map.of(
          "the journal is not forced", NoForceOfJournal::new,
          "checkpoints force nothing", NoForceOfContent::new,
          "files are not cut after a crash", NoCutting::new,
          "names are not forced", NoForceOfNames::new,
          "batches are not verified", AnyChecksumFits::new,
          "tails are not kept", NoTails::new,
          "numbers are not set aside", NoLimits::new);

  @ParameterizedTest
  @MethodSource("broken")
  void aBrokenPromiseIsCaught(String what) {
    UnaryOperator<Disk> view = BROKEN.get(what);
    int caughtBy = -1;
    for (int seed = 0; seed < SEEDS && caughtBy < 0; seed++) {
      try {
        new PowerCutRun(seed, view).run();
      } catch (RuntimeException | AssertionError e) {
        caughtBy = seed;
      }
    }
    assertThat(caughtBy).as(what + ": seed that fails").isNotNegative();
  }

  private static boolean isJournal(DiskFile file) {
    return file.name().startsWith("journal.");
  }

  private static final class NoForceOfJournal extends ForwardingDisk {
    NoForceOfJournal(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {
      if (!isJournal(file)) {
        file.force();
      }
    }
  }

  private static final class NoForceOfContent extends ForwardingDisk {
    NoForceOfContent(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {
      if (isJournal(file) || file.name().equals(Checkpoint.FILE)) {
        file.force();
      }
    }
  }

  private static final class NoCutting extends ForwardingDisk {
    NoCutting(Disk disk) {
      super(disk);
    }

    @Override
    protected void resize(DiskFile file, long sizeBytes) {
      if (sizeBytes > file.sizeBytes()) {
        file.resize(sizeBytes);
      }
    }
  }

  private static final class NoForceOfNames extends ForwardingDisk {
    NoForceOfNames(Disk disk) {
      super(disk);
    }

    @Override
    public void forceNames() {}
  }

  /// Both checksums of a batch are made to fit whatever stands there.
  private static final class AnyChecksumFits extends ForwardingDisk {
    AnyChecksumFits(Disk disk) {
      super(disk);
    }

    @Override
    protected int read(DiskFile file, long position, ByteBuffer target) {
      int start = target.position();
      int length = file.read(position, target);
      if (isJournal(file) && length >= 64) {
        fit(MemorySegment.ofArray(target.array()).asSlice(start, length));
      }
      return length;
    }

    private static void fit(MemorySegment batch) {
      if (batch.byteSize() > 64) {
        batch.set(LittleEndian.U32, 56, LittleEndian.crc32(batch, 64, batch.byteSize() - 64));
      }
      batch.set(LittleEndian.U32, 60, LittleEndian.crc32(batch, 0, 60));
    }
  }

  private static final class NoTails extends ForwardingDisk {
    NoTails(Disk disk) {
      super(disk);
    }

    @Override
    protected void write(DiskFile file, long position, ByteBuffer source) {
      if (!file.name().equals(Checkpoint.FILE)) {
        file.write(position, source);
        return;
      }
      long storeId = source.order(ByteOrder.LITTLE_ENDIAN).getLong(8);
      Disk scratch = new SimulatedDisk(0);
      try (DiskFile copy = scratch.open(Checkpoint.FILE)) {
        copy.write(position, source);
      }
      Checkpoint whole = Checkpoint.read(scratch, storeId).orElseThrow();
      new Checkpoint(
              whole.seq(),
              whole.state(),
              whole.position(),
              Collections.nCopies(Checkpoint.TAIL_FILES, new byte[0]))
          .write(file, storeId);
    }
  }

  /// Both limits in a batch's position are what the next numbers are.
  private static final class NoLimits extends ForwardingDisk {
    NoLimits(Disk disk) {
      super(disk);
    }

    @Override
    protected void write(DiskFile file, long position, ByteBuffer source) {
      if (isJournal(file) && source.remaining() > 64 + 128 && source.get(0) == 'V') {
        MemorySegment batch = MemorySegment.ofBuffer(source);
        long after = 64;
        batch.set(LittleEndian.U64, after + 16, batch.get(LittleEndian.U64, after + 8));
        batch.set(LittleEndian.U64, after + 32, batch.get(LittleEndian.U64, after + 24));
        batch.set(LittleEndian.U32, 56, LittleEndian.crc32(batch, 64, batch.byteSize() - 64));
        batch.set(LittleEndian.U32, 60, LittleEndian.crc32(batch, 0, 60));
      }
      file.write(position, source);
    }
  }
}
