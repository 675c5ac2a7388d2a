// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static dev.varve.disk.DiskContract.text;
import static dev.varve.disk.DiskContract.utf8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppendFileTest {

  private static final FileGrowth SMALL = new FileGrowth(4096, 1000, 3000);

  @TempDir Path temp;
  private Disk disk;

  @BeforeEach
  void open() {
    disk = LocalDisk.open(temp);
  }

  @Test
  void whatWasWrittenIsReadAtItsPlace() {
    try (AppendFile file = AppendFile.open(disk, "a", 0, SMALL)) {
      file.write(0, utf8("first"));
      file.write(5, utf8("second"));
      file.end(11);
      assertThat(file.endBytes()).isEqualTo(11);
      assertThat(text(file.at(5, 6))).isEqualTo("second");
      assertThat(text(file.at(0, 11))).isEqualTo("firstsecond");
      assertThat(file.at(0, 11).isReadOnly()).isTrue();
      assertThat(file.at(11, 0).byteSize()).isZero();
    }
  }

  @Test
  void theFileGrowsInStepsAndIsTrimmedOnlyWhenAsked() {
    AppendFile file = AppendFile.open(disk, "a", 0, SMALL);
    file.write(0, utf8("first"));
    file.end(5);
    assertThat(sizeOf("a")).isEqualTo(1000);
    file.write(5, ByteBuffer.allocate(7000));
    assertThat(sizeOf("a")).isEqualTo(7005);
    file.write(7005, ByteBuffer.allocate(1));
    assertThat(sizeOf("a")).isEqualTo(7005 + 1751);
    file.close();
    assertThat(sizeOf("a")).isEqualTo(7005 + 1751);

    AppendFile again = AppendFile.open(disk, "a", 5, SMALL);
    again.close(true);
    again.close(true);
    assertThat(sizeOf("a")).isEqualTo(5);
  }

  @Test
  void aStepIsAQuarterOfTheFileWithinItsBounds() {
    FileGrowth growth = new FileGrowth(1, 100, 1000);
    assertThat(growth.grown(0, 1)).isEqualTo(100);
    assertThat(growth.grown(0, 150)).isEqualTo(150);
    assertThat(growth.grown(2000, 2001)).isEqualTo(2500);
    assertThat(growth.grown(1_000_000, 1_000_001)).isEqualTo(1_001_000);
    assertThatThrownBy(() -> new FileGrowth(3, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FileGrowth(4, 2, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRangeInSeveralWindowsIsCopied() {
    byte[] bytes = new byte[20_000];
    new SplittableRandom(7).nextBytes(bytes);
    try (AppendFile file = AppendFile.open(disk, "a", 0, SMALL)) {
      file.write(0, ByteBuffer.wrap(bytes));
      for (int[] range :
          List.of(new int[] {4000, 200}, new int[] {1, 19_999}, new int[] {4095, 2})) {
        MemorySegment memory = file.at(range[0], range[1]);
        assertThat(memory.isNative()).isFalse();
        assertThat(memory.isReadOnly()).isTrue();
        assertThat(memory.mismatch(MemorySegment.ofArray(bytes).asSlice(range[0], range[1])))
            .isEqualTo(-1);
      }
      assertThat(file.at(4096, 4096).isNative()).isTrue();
    }
  }

  @Test
  void onlyWhatWasWrittenIsGiven() {
    try (AppendFile file = AppendFile.open(disk, "a", 0, SMALL)) {
      file.write(0, utf8("12345"));
      assertThat(text(file.at(0, 5))).isEqualTo("12345");
      assertThatThrownBy(() -> file.at(0, 6)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.at(6, 0)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.at(-1, 1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.at(0, -1)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.at(Long.MAX_VALUE, Integer.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.end(6)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.write(-1, utf8("x")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anEndBehindTheFileIsRefused() {
    assertThatThrownBy(() -> AppendFile.open(disk, "a", 1, SMALL))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anOwnerLooksForTheEndAndCutsWhatFollows() {
    try (AppendFile file = AppendFile.open(disk, "a", SMALL)) {
      file.write(0, utf8("good, torn"));
      file.end(10);
    }
    try (AppendFile file = AppendFile.open(disk, "a", SMALL)) {
      assertThat(file.endBytes()).isEqualTo(1000);
      assertThat(text(file.at(0, 10))).isEqualTo("good, torn");
      file.end(4);
      file.truncateToEnd();
      assertThat(sizeOf("a")).isEqualTo(4);
      assertThatThrownBy(() -> file.at(4, 1)).isInstanceOf(IllegalArgumentException.class);
      file.write(6, utf8("new"));
      file.end(9);
      assertThat(text(file.at(0, 9))).isEqualTo("good\0\0new");
    }
  }

  @Test
  void whatWasGivenStaysWhenTheFileIsMappedAgainAndWhenItIsClosed() {
    AppendFile file = AppendFile.open(disk, "a", 0, SMALL);
    file.write(0, utf8("early"));
    MemorySegment early = file.at(0, 5);
    file.write(3000, utf8("late"));
    assertThat(text(file.at(3000, 4))).isEqualTo("late");
    assertThat(file.at(0, 5).address()).isNotEqualTo(early.address());
    file.end(5);
    file.close(true);
    assertThat(text(early)).isEqualTo("early");
  }

  @Test
  void aClosedFileRefusesEverything() {
    AppendFile file = AppendFile.open(disk, "a", 0, SMALL);
    file.write(0, utf8("12345"));
    file.end(5);
    file.close();
    file.close();
    assertThatThrownBy(() -> file.at(0, 5)).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> file.write(5, utf8("x"))).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(file::force).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(file::truncateToEnd).isInstanceOf(StoreException.Closed.class);
    assertThat(file.endBytes()).isEqualTo(5);
  }

  /// Cutting the file behind its back makes the system fail the read of the page, as a broken disk
  /// would.
  @Test
  void aFaultInMappedMemoryIsRefusedAsAnErrorOfTheDisk() {
    try (AppendFile file =
            AppendFile.open(disk, "a", 0, new FileGrowth(1 << 16, 1 << 16, 1 << 16));
        DiskFile behindItsBack = disk.open("a")) {
      file.write(0, ByteBuffer.allocate(100_000));
      assertThat(file.<Byte>read(40_000, 8, memory -> memory.get(JAVA_BYTE, 0))).isZero();
      file.at(0, 1 << 16);
      file.at(1 << 16, 1000);
      behindItsBack.resize(0);
      assertThatThrownBy(() -> file.read(40_000, 8, memory -> memory.get(JAVA_LONG_UNALIGNED, 0)))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("a: read of mapped memory at byte 40000")
          .hasCauseInstanceOf(InternalError.class);
      assertThatThrownBy(() -> file.at(60_000, 10_000))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("a: read of mapped memory at byte 60000");
    }
  }

  @Test
  void manyReadWhileOneAppendsAndTheFileGrows() throws Exception {
    int records = 20_000;
    int recordBytes = 24;
    long last = (long) records * recordBytes;
    AtomicLong published = new AtomicLong();
    try (AppendFile file = AppendFile.open(disk, "a", 0, SMALL);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Long>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        SplittableRandom random = new SplittableRandom(reader);
        Callable<Long> reading =
            () -> {
              long reads = 0;
              for (long end = 0; end < last; ) {
                end = published.get();
                for (int i = 0; i < 50 && end > 0; i++) {
                  long record = i == 0 ? end / recordBytes - 1 : random.nextLong(end / recordBytes);
                  MemorySegment memory = file.at(record * recordBytes, recordBytes);
                  assertThat(memory.get(JAVA_LONG_UNALIGNED, 0)).isEqualTo(record);
                  assertThat(memory.get(JAVA_LONG_UNALIGNED, 16)).isEqualTo(~record);
                  reads++;
                }
              }
              return reads;
            };
        readers.add(threads.submit(reading));
      }
      ByteBuffer record = ByteBuffer.allocate(recordBytes).order(ByteOrder.nativeOrder());
      for (long i = 0; i < records; i++) {
        record.clear().putLong(0, i).putLong(16, ~i);
        file.write(i * recordBytes, record);
        file.end((i + 1) * recordBytes);
        published.set(file.endBytes());
      }
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
      file.force();
    }
  }

  private long sizeOf(String name) {
    try (DiskFile file = disk.open(name)) {
      return file.sizeBytes();
    }
  }
}
