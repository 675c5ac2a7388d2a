// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract on a real folder, and what only a real system can show.
class LocalDiskTest extends DiskContract {

  @TempDir Path temp;
  private Disk disk;

  @BeforeEach
  void open() {
    disk = LocalDisk.open(temp.resolve("disk"));
  }

  @Override
  protected Disk disk() {
    return disk;
  }

  /// Where the system takes nothing past its cache, or takes it no more, the caller is told and
  /// writes as usual.
  @Test
  void uncachedWritesThatAreRefusedLeaveTheSourceAsItWas() throws Exception {
    ByteBuffer block = ByteBuffer.allocateDirect(8192).alignedSlice(4096).limit(4096);
    assertThat(UncachedWrites.to(temp.resolve("absent")).write(0, block)).isFalse();
    assertThat(UncachedWrites.none().write(0, block)).isFalse();
    UncachedWrites closed = UncachedWrites.to(Files.createFile(temp.resolve("there")));
    closed.close();
    assertThat(closed.write(0, block)).isFalse();
    assertThat(block.remaining()).isEqualTo(4096);
  }

  /// The usual write that follows begins where the refused one began.
  @Test
  void anUncachedWriteThatFailsInTheMiddleLeavesTheSourceAsItWas() throws Exception {
    ByteBuffer blocks = ByteBuffer.allocateDirect(16384).alignedSlice(4096).limit(8192);
    try (UncachedWrites writes = new UncachedWrites(new FailingChannel())) {
      assertThat(writes.write(0, blocks)).isFalse();
      assertThat(blocks.position()).isZero();
      assertThat(blocks.remaining()).isEqualTo(8192);
      assertThat(writes.write(0, blocks)).as("never again").isFalse();
    }
  }

  @Test
  void theSizeOfADiskIsKnownUnlessTheSystemDoesNotSayIt() {
    assertThat(disk.totalBytes()).isGreaterThan(0);
    assertThat(LocalDisk.openReadOnly(temp.resolve("absent")).totalBytes()).isEqualTo(-1);
  }

  @Test
  @Timeout(60)
  void aPipeIsRefusedAndNotWaitedFor() throws Exception {
    for (String name : List.of("lock", "holds.tbl")) {
      Process pipe = new ProcessBuilder("mkfifo", temp.resolve("disk/" + name).toString()).start();
      assertThat(pipe.waitFor()).isZero();
    }
    assertThatThrownBy(() -> disk.open("holds.tbl"))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("expected a regular file, found a pipe");
    assertThatThrownBy(() -> disk.openUncached("holds.tbl")).isInstanceOf(StoreException.Io.class);
    Disk reader = LocalDisk.openReadOnly(temp.resolve("disk"));
    assertThatThrownBy(() -> reader.open("holds.tbl")).isInstanceOf(StoreException.Io.class);
    assertThatThrownBy(() -> disk.lock("lock", "me"))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("expected a regular file, found a pipe");
    assertThatThrownBy(() -> reader.lock("lock", "me")).isInstanceOf(StoreException.Io.class);
  }

  @Test
  void aLockThatIsALinkLeavesTheFileBehindTheLinkAsItWas() throws Exception {
    Path other = Files.writeString(temp.resolve("other"), "content of another file");
    Files.createSymbolicLink(temp.resolve("disk/lock"), other);
    Files.createSymbolicLink(temp.resolve("disk/lock2"), temp.resolve("absent"));

    assertThatThrownBy(() -> disk.lock("lock", "me"))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("expected a regular file, found a symbolic link");
    assertThatThrownBy(() -> disk.lock("lock2", "me")).isInstanceOf(StoreException.Io.class);
    Disk reader = LocalDisk.openReadOnly(temp.resolve("disk"));
    assertThatThrownBy(() -> reader.lock("lock", "me")).isInstanceOf(StoreException.Io.class);

    assertThat(other).hasContent("content of another file");
    assertThat(temp.resolve("absent")).doesNotExist();
  }

  @Test
  void theFoldersThatItCreatesAreForTheirOwnerOnly() throws Exception {
    LocalDisk.open(temp.resolve("x/y/z"));
    for (String folder : List.of("x", "x/y", "x/y/z")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(folder))))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void itsFilesAreForTheirOwnerOnlyWhoeverMadeTheFolder() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("shared"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Disk shared = LocalDisk.open(folder);
    shared.open("plain").close();
    shared.openUncached("uncached").close();
    shared.lock("lock", "this process").close();
    for (String file : List.of("plain", "uncached", "lock")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
          .as(file)
          .isEqualTo("rw-------");
    }
  }

  @Test
  void aFolderThatIsThereKeepsItsModeAndItsFiles() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("there"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
    Files.writeString(folder.resolve("file"), "content");
    Files.createDirectory(folder.resolve("inner"));
    Disk there = LocalDisk.open(folder);
    assertThat(there.names()).containsExactly("file");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwxr-x---");
  }

  @Test
  void whatIsNotAFolderIsRefused() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "content");
    assertThatThrownBy(() -> LocalDisk.open(file))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> LocalDisk.open(file.resolve("below")))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void whatIsNotAFileIsRefusedWithItsNameAndTheReason() throws Exception {
    Files.createDirectories(Path.of(disk.describe()).resolve("inner/most"));
    assertThatThrownBy(() -> disk.open("inner"))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("inner: open")
        .hasMessageContaining("expected a regular file, found a folder");
    assertThatThrownBy(() -> disk.delete("inner"))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("inner: delete: DirectoryNotEmptyException");
  }

  @Test
  void aWriteOfMoreThanOneChunkArrivesWhole() {
    byte[] large = new byte[(3 << 20) + 17];
    new SplittableRandom(1).nextBytes(large);
    try (DiskFile file = disk.open("large")) {
      file.write(5, ByteBuffer.wrap(large));
      ByteBuffer back = ByteBuffer.allocate(large.length);
      assertThat(file.read(5, back)).isEqualTo(large.length);
      assertThat(back.array()).isEqualTo(large);
    }
  }

  @Test
  void extendingTakesNoSpace() {
    try (DiskFile file = disk.open("sparse")) {
      long moreThanThereIs = disk.freeBytes() + (1L << 30);
      file.resize(moreThanThereIs);
      assertThat(file.sizeBytes()).isEqualTo(moreThanThereIs);
    }
  }

  /// With a `FileChannel` in place of ours, the first interrupt closes the file.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStormOfInterruptsClosesNoFileAndLosesNoByte(boolean virtual) throws Exception {
    int writers = 4;
    int rounds = 300;
    AtomicInteger running = new AtomicInteger(writers);
    AtomicInteger interrupted = new AtomicInteger();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    try (DiskFile file = disk.open("a")) {
      for (int writer = 0; writer < writers; writer++) {
        long start = writer * 100_000L;
        Runnable work =
            () -> {
              try {
                for (int i = 0; i < rounds; i++) {
                  long at = start + i * 8;
                  file.write(at, ByteBuffer.allocate(8).putLong(0, at));
                  if (i % 10 == 0) {
                    file.force();
                    MemorySegment memory = file.map(at, 8, false);
                    assertThat(memory.asByteBuffer().getLong(0)).isEqualTo(at);
                    disk.forceNames();
                  }
                  ByteBuffer back = ByteBuffer.allocate(8);
                  assertThat(file.read(at, back)).isEqualTo(8);
                  assertThat(back.getLong(0)).isEqualTo(at);
                  if (Thread.interrupted()) {
                    interrupted.incrementAndGet();
                  }
                }
              } catch (Throwable e) {
                failures.add(e);
              } finally {
                running.decrementAndGet();
              }
            };
        threads.add(virtual ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
      }
      while (running.get() > 0) {
        threads.forEach(Thread::interrupt);
        Thread.yield();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(interrupted.get()).isGreaterThan(writers);
      file.write(0, utf8("goes on"));
      assertThat(text(file, 0, 7)).isEqualTo("goes on");
      assertThat(file.sizeBytes()).isEqualTo((writers - 1) * 100_000L + rounds * 8);
    }
  }

  @Test
  void aSecondStoreInThisProcessIsRefusedByWhateverPathItComes() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("disk"));
    try (DiskLock _ = disk.lock("lock", "the first store")) {
      assertThatThrownBy(() -> LocalDisk.open(temp.resolve("disk")).lock("lock", "the second"))
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("the first store");
      assertThatThrownBy(() -> LocalDisk.open(link).lock("lock", "the second"))
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("the first store");
    }
    LocalDisk.open(link).lock("lock", "the second").close();
  }

  @Test
  void anotherProcessIsRefusedUntilTheHolderIsKilled() throws Exception {
    Path folder = temp.resolve("disk");
    Process holder = LockHolder.start(folder, "lock", "process 4711 (varve serve)");
    try {
      assertThat(holder.inputReader().readLine()).isEqualTo("locked");
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> disk.lock("lock", "this one"))
            .isInstanceOf(StoreException.Busy.class)
            .hasMessageContaining(folder.resolve("lock").toString())
            .hasMessageContaining("process 4711 (varve serve)");
      }
    } finally {
      holder.destroyForcibly().waitFor();
    }
    disk.lock("lock", "this one").close();
  }

  /// Refusing a second store must not free the first one's lock, as a second handle of the file
  /// would on POSIX.
  @Test
  void aRefusalInThisProcessLeavesTheLockToItsHolder() throws Exception {
    try (DiskLock _ = disk.lock("lock", "this process")) {
      assertThatThrownBy(() -> disk.lock("lock", "again")).isInstanceOf(StoreException.Busy.class);
      Process other = LockHolder.start(temp.resolve("disk"), "lock", "the other");
      other.outputWriter().close();
      assertThat(other.inputReader().readLine()).endsWith("lock: in use by this process");
      other.waitFor();
    }
  }

  /// `/dev/full` refuses each write with the system's own "no space left".
  @Test
  void aFullDiskIsToldFromABrokenOne() {
    try (DiskFile full = LocalFile.open(Path.of("/dev/full"), FileAccess.AS_USUAL)) {
      assertThatThrownBy(() -> full.write(0, utf8("x")))
          .isInstanceOf(StoreException.Full.class)
          .hasMessageContaining("/dev/full");
    }
  }

  @Test
  void aFolderThatTookThePlaceOfTheOpenedOneIsLeftAlone() throws Exception {
    Path place = temp.resolve("disk");
    disk.open("own").close();
    Files.move(place, temp.resolve("moved"));
    Path other = Files.createDirectory(place).resolve("own");
    Files.writeString(other, "another's");

    List<Runnable> uses =
        List.of(
            () -> disk.open("own").close(),
            () -> disk.delete("own"),
            () -> disk.replace("own", "new"),
            () -> disk.claim("own", "new"),
            () -> disk.createDraft("own", FileAccess.OWNER_ONLY).close(),
            disk::deleteAbandonedDrafts,
            disk::forceNames,
            disk::names,
            () -> disk.exists("own"));
    for (Runnable use : uses) {
      assertThatThrownBy(use::run)
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("no longer the folder that was opened");
    }
    assertThat(other).hasContent("another's");
    Files.delete(other);
    Files.delete(place);
    assertThatThrownBy(() -> disk.delete("own")).hasMessageContaining("moved or deleted");
    Files.move(temp.resolve("moved"), place);
    assertThat(disk.exists("own")).isTrue();
  }
}
