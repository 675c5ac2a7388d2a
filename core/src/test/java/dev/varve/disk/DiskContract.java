// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// What every [Disk] does: its names, and the bytes of its files.
public abstract class DiskContract extends DiskNamesContract {

  @Test
  void aFileThatIsOpenedIsThereAndEmpty() {
    assertThat(disk().exists("a")).isFalse();
    try (DiskFile file = disk().open("a")) {
      assertThat(file.name()).isEqualTo("a");
      assertThat(file.sizeBytes()).isZero();
      assertThat(disk().exists("a")).isTrue();
    }
  }

  /// Whole blocks of direct memory and anything else, in any order: all of it is in the file, for
  /// whoever reads it in whatever way.
  @Test
  void whatIsWrittenUncachedIsSeenByAll() {
    SplittableRandom random = new SplittableRandom(7);
    byte[] expected = new byte[64 << 10];
    ByteBuffer blocks = ByteBuffer.allocateDirect((16 << 10) + 4096).alignedSlice(4096);
    try (DiskFile file = disk().openUncached("a");
        DiskFile other = disk().open("a")) {
      file.write(0, ByteBuffer.wrap(expected));
      MemorySegment mapped = other.map(0, expected.length, false);
      for (int i = 0; i < 300; i++) {
        byte[] bytes = new byte[4096 * (1 + random.nextInt(4)) - (i % 3 == 0 ? 1 : 0)];
        random.nextBytes(bytes);
        int position = 4096 * random.nextInt(12) + (i % 5 == 0 ? 512 : 0);
        ByteBuffer source = i % 7 == 0 ? ByteBuffer.wrap(bytes) : blocks.clear().put(bytes).flip();
        file.write(position, source);
        assertThat(source.hasRemaining()).isFalse();
        System.arraycopy(bytes, 0, expected, position, bytes.length);
        if (i % 10 == 0) {
          file.force();
        }
        ByteBuffer read = ByteBuffer.allocate(expected.length);
        assertThat((i % 2 == 0 ? file : other).read(0, read)).isEqualTo(expected.length);
        assertThat(read.array()).isEqualTo(expected);
        assertThat(mapped.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
      }
    }
  }

  @Test
  void whatIsWrittenIsReadAlsoAfterReopening() {
    try (DiskFile file = disk().open("a")) {
      file.write(0, utf8("hello, disk"));
      assertThat(text(file, 7, 4)).isEqualTo("disk");
    }
    try (DiskFile file = disk().open("a")) {
      assertThat(text(file, 0, 11)).isEqualTo("hello, disk");
    }
  }

  @Test
  void readingStopsAtTheEndOfTheFile() {
    try (DiskFile file = disk().open("a")) {
      file.write(0, utf8("12345"));
      ByteBuffer target = ByteBuffer.allocate(10);
      assertThat(file.read(3, target)).isEqualTo(2);
      assertThat(target.position()).isEqualTo(2);
      assertThat(target.limit()).isEqualTo(10);
      assertThat(file.read(5, target)).isZero();
      assertThat(file.read(1000, target)).isZero();
      assertThat(target.position()).isEqualTo(2);
    }
  }

  @Test
  void buffersOfEveryKindAreReadIntoAndWrittenFromWithinTheirBounds() {
    try (DiskFile file = disk().open("a")) {
      ByteBuffer direct = ByteBuffer.allocateDirect(8).put(utf8("--abcd--")).position(2).limit(6);
      file.write(0, direct);
      assertThat(direct.position()).isEqualTo(6);
      assertThat(direct.limit()).isEqualTo(6);
      file.write(4, utf8("--efgh--").asReadOnlyBuffer().position(2).limit(6));
      assertThat(file.sizeBytes()).isEqualTo(8);

      ByteBuffer into = ByteBuffer.allocateDirect(8).position(1).limit(4);
      assertThat(file.read(3, into)).isEqualTo(3);
      assertThat(UTF_8.decode(into.flip().position(1)).toString()).isEqualTo("def");
    }
  }

  @Test
  void writingNothingChangesNothing() {
    try (DiskFile file = disk().open("a")) {
      file.write(100, ByteBuffer.allocate(0));
      assertThat(file.sizeBytes()).isZero();
      assertThat(file.read(0, ByteBuffer.allocate(0))).isZero();
    }
  }

  @Test
  void aGapReadsAsZeros() {
    try (DiskFile file = disk().open("a")) {
      file.write(5000, utf8("x"));
      assertThat(file.sizeBytes()).isEqualTo(5001);
      assertThat(bytes(file)).startsWith(new byte[5000]).endsWith('x');
    }
  }

  @Test
  void whatWasCutAwayDoesNotComeBackWhenTheFileGrowsAgain() {
    try (DiskFile file = disk().open("a")) {
      file.write(0, utf8("12345678"));
      file.resize(3);
      assertThat(text(file, 0, 10)).isEqualTo("123");
      file.resize(6);
      assertThat(bytes(file)).containsExactly('1', '2', '3', 0, 0, 0);
      file.resize(2);
      file.write(5, utf8("x"));
      assertThat(bytes(file)).containsExactly('1', '2', 0, 0, 0, 'x');
    }
  }

  @Test
  void aNegativePositionOrSizeIsRefused() {
    try (DiskFile file = disk().open("a")) {
      assertThatThrownBy(() -> file.read(-1, ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.write(-1, utf8("x")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.resize(-1)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void mappedMemoryAndTheFileAreTheSameBytes() {
    try (DiskFile file = disk().open("a")) {
      file.write(0, ByteBuffer.allocate(10_000));
      MemorySegment read = file.map(4000, 3000, false);
      MemorySegment write = file.map(4000, 3000, true);
      file.write(4990, utf8("from the file"));
      assertThat(read.asSlice(990, 13).toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo("from the file".getBytes(UTF_8));

      MemorySegment.copy(MemorySegment.ofBuffer(utf8("from memory")), 0, write, 100, 11);
      assertThat(text(file, 4100, 11)).isEqualTo("from memory");

      file.write(1_000_000, utf8("the file grew"));
      file.write(4000, utf8("still the same"));
      assertThat(read.asSlice(0, 14).toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo("still the same".getBytes(UTF_8));
      file.force();
    }
  }

  @Test
  void aReadOnlyMappingCannotBeWritten() {
    try (DiskFile file = disk().open("a")) {
      file.write(0, utf8("12345678"));
      MemorySegment memory = file.map(0, 8, false);
      assertThat(memory.isReadOnly()).isTrue();
      assertThat(memory.byteSize()).isEqualTo(8);
    }
  }

  @Test
  void onlyWhatIsInTheFileIsMapped() {
    try (DiskFile file = disk().open("a")) {
      file.write(0, utf8("12345678"));
      assertThatThrownBy(() -> file.map(0, 9, false)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.map(8, 1, true)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.map(-1, 2, true)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.map(1, Long.MAX_VALUE, true))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(file.sizeBytes()).isEqualTo(8);
      assertThat(file.map(8, 0, false).byteSize()).isZero();
    }
  }

  @Test
  void mappedMemoryOutlivesTheFileThatIsClosed() {
    MemorySegment memory;
    try (DiskFile file = disk().open("a")) {
      file.write(0, utf8("12345678"));
      memory = file.map(0, 8, false);
    }
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) '8');
  }

  @Test
  void aRandomHistoryLeavesTheBytesThatItWouldLeaveInAnArray() {
    for (long seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] model = new byte[0];
      disk().delete("a");
      try (DiskFile file = disk().open("a")) {
        for (int step = 0; step < 60; step++) {
          int position = random.nextInt(20_000);
          byte[] some = new byte[random.nextInt(1, 3000)];
          random.nextBytes(some);
          switch (random.nextInt(4)) {
            case 0, 1 -> {
              file.write(position, ByteBuffer.wrap(some));
              model = Arrays.copyOf(model, Math.max(model.length, position + some.length));
              System.arraycopy(some, 0, model, position, some.length);
            }
            case 2 -> {
              file.resize(position);
              model = Arrays.copyOf(model, position);
            }
            default -> {
              int length = Math.min(some.length, Math.max(0, model.length - position));
              if (length > 0) {
                MemorySegment memory = file.map(position, length, true);
                MemorySegment.copy(some, 0, memory, ValueLayout.JAVA_BYTE, 0, length);
                System.arraycopy(some, 0, model, position, length);
              }
            }
          }
        }
        assertThat(bytes(file)).as("seed %d", seed).isEqualTo(model);
      }
    }
  }

  @Test
  void aClosedFileRefusesEverythingButClosing() {
    DiskFile file = disk().open("a");
    file.write(0, utf8("12345678"));
    file.close();
    file.close();
    assertThatThrownBy(file::sizeBytes).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1)))
        .isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> file.write(0, utf8("x"))).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(file::force).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> file.resize(1)).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> file.map(0, 1, false)).isInstanceOf(StoreException.Closed.class);
    assertThat(file.name()).isEqualTo("a");
  }

  @Test
  void thereIsRoomAndADescription() {
    assertThat(disk().freeBytes()).isPositive();
    assertThat(disk().describe()).isNotBlank();
  }

  @Test
  void anInterruptedThreadGoesOnAndStaysInterrupted() {
    try (DiskFile file = disk().open("a")) {
      Thread.currentThread().interrupt();
      file.write(0, utf8("interrupted"));
      file.force();
      assertThat(text(file, 0, 11)).isEqualTo("interrupted");
      assertThat(text(file.map(0, 11, true))).isEqualTo("interrupted");
      file.resize(5);
      disk().forceNames();
      disk().replace("a", "b");
      disk().lock("lock", "me").close();
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      assertThat(file.sizeBytes()).isEqualTo(5);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void othersReadWhileOneWritesFurtherOn() throws Exception {
    int recordBytes = 64;
    int records = 4000;
    AtomicLong written = new AtomicLong();
    try (DiskFile file = disk().open("a");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Integer> reader =
          () -> {
            int seen = 0;
            ByteBuffer record = ByteBuffer.allocate(recordBytes);
            while (seen < records) {
              for (long until = written.get(); seen < until; seen++) {
                assertThat(file.read((long) seen * recordBytes, record.clear()))
                    .isEqualTo(recordBytes);
                assertThat(record.getLong(0)).isEqualTo(seen);
              }
            }
            return seen;
          };
      Future<Integer> first = threads.submit(reader);
      Future<Integer> second = threads.submit(reader);
      for (int i = 0; i < records; i++) {
        file.write((long) i * recordBytes, ByteBuffer.allocate(recordBytes).putLong(0, i));
        written.incrementAndGet();
      }
      assertThat(first.get()).isEqualTo(records);
      assertThat(second.get()).isEqualTo(records);
    }
  }
}
