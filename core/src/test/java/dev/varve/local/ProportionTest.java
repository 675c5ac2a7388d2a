// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.StoreOptions;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.LocalDisk;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Journal;
import dev.varve.sim.SimulatedTime;
import dev.varve.turn.AncestorSearch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How the work of an opening and of a walk grows with the store: counted, not timed.
class ProportionTest {

  @TempDir Path folder;

  /// Counts the bytes that are read by calls. What is read through mapped memory is not seen, but a
  /// file is mapped only when something in it is looked at.
  private static final class CountingDisk extends ForwardingDisk {
    private final AtomicLong bytesRead = new AtomicLong();

    CountingDisk(Disk disk) {
      super(disk);
    }

    @Override
    protected int read(DiskFile file, long position, ByteBuffer target) {
      int length = file.read(position, target);
      bytesRead.addAndGet(Math.max(0, length));
      return length;
    }
  }

  private static LocalStore open(Disk disk) {
    return LocalStore.open(
        disk,
        StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM),
        SimulatedTime.ticking(),
        StoreGeometry.DEFAULTS);
  }

  private long bytesReadAtOpening() {
    CountingDisk disk = new CountingDisk(LocalDisk.open(folder));
    open(disk).close();
    return disk.bytesRead.get();
  }

  @Test
  void openingAClosedStoreReadsNoMoreHoweverLargeItIs() {
    LocalStore store = open(LocalDisk.open(folder));
    ContextId context = store.createContext().id();
    append(store, context, 0, 1_000);
    store.close();
    long small = bytesReadAtOpening();
    store = open(LocalDisk.open(folder));
    append(store, context, 1_000, 20_000);
    store.close();
    assertThat(bytesReadAtOpening()).isEqualTo(small).isLessThan(100_000);
  }

  /// Notes what is done with the journal's files.
  private static final class JournalDisk extends ForwardingDisk {
    private int sizesAsked;
    private int writes;
    private int wholeBlocks;

    JournalDisk(Disk disk) {
      super(disk);
    }

    @Override
    protected long sizeBytes(DiskFile file) {
      sizesAsked += isJournal(file) ? 1 : 0;
      return super.sizeBytes(file);
    }

    @Override
    protected void write(DiskFile file, long position, ByteBuffer source) {
      if (isJournal(file)) {
        writes++;
        boolean whole =
            source.isDirect()
                && position % 4096 == 0
                && source.remaining() % 4096 == 0
                && source.alignmentOffset(source.position(), 4096) == 0;
        wholeBlocks += whole ? 1 : 0;
      }
      super.write(file, position, source);
    }

    private static boolean isJournal(DiskFile file) {
      return file.name().equals(Journal.FILE_A) || file.name().equals(Journal.FILE_B);
    }
  }

  /// Both are dear: see docs/decisions/0010-journal-past-the-cache.md.
  @Test
  void anAppendAsksForNoSizeOfTheJournalAndWritesItInWholeBlocks() {
    JournalDisk disk = new JournalDisk(new SimulatedDisk(0, 8 << 20));
    LocalStore store = open(disk);
    ContextId context = store.createContext().id();
    disk.sizesAsked = 0;
    disk.writes = 0;
    disk.wholeBlocks = 0;

    append(store, context, 0, 200);

    assertThat(disk.sizesAsked).isZero();
    assertThat(disk.writes).isEqualTo(200);
    assertThat(disk.wholeBlocks).isEqualTo(200);
    store.close();
  }

  private static void append(LocalStore store, ContextId context, int from, int to) {
    for (int i = from; i < to; i++) {
      store.append(context, turn(i % 100));
    }
  }

  /// Of a store that was killed the journal is read, however large the rest is.
  @Test
  void openingAfterACrashReadsNoMoreHoweverLargeTheStoreIs() {
    assertThat(bytesReadAfterCrash(3_000))
        .isCloseTo(bytesReadAfterCrash(100), within(64L << 10))
        .isLessThan(512 << 10);
  }

  private static long bytesReadAfterCrash(int turns) {
    SimulatedDisk disk = new SimulatedDisk(0, 1 << 21);
    SimulatedTime time = SimulatedTime.standing();
    LocalStore store = History.open(disk, time, Durability.LET_THE_SYSTEM);
    ContextId context = store.createContext().id();
    append(store, context, 0, turns);
    store.close();
    store = History.open(disk, time, Durability.LET_THE_SYSTEM);
    append(store, context, 0, 10);
    CountingDisk found = new CountingDisk(disk.kill());
    History.abandon(store);
    History.open(found).close();
    return found.bytesRead.get();
  }

  private static NewTurn turn(int i) {
    return NewTurn.of(Furnished.payload(i), new DeclaredType("turn", 1), Encoding.JSON);
  }

  /// A chain as `LocalStore` makes it, whose links are counted.
  @Test
  void anyAncestorOfAHundredThousandIsFoundInLogarithmicSteps() {
    int length = 100_000;
    long[] jumps = new long[length + 1];
    long[] looks = {0};
    AncestorSearch ancestry =
        new AncestorSearch(
            id -> {
              looks[0]++;
              return new AncestorSearch.Link(id, id - 1, (int) id - 1, jumps[(int) id]);
            });
    jumps[1] = 1;
    for (int id = 2; id <= length; id++) {
      jumps[id] =
          ancestry.jumpOfChild(new AncestorSearch.Link(id - 1L, id - 2L, id - 2, jumps[id - 1]));
    }
    assertThat(looks[0]).as("looks an append").isLessThanOrEqualTo(2L * length);
    int logarithm = 17;
    for (int depth = 0; depth < length; depth += 97) {
      looks[0] = 0;
      assertThat(ancestry.ancestor(length, depth)).isEqualTo(depth + 1);
      assertThat(looks[0]).as("to depth " + depth).isLessThanOrEqualTo(6 * logarithm);
      looks[0] = 0;
      assertThat(ancestry.common(length, depth + 1)).isEqualTo(depth + 1);
      assertThat(looks[0]).as("in common").isLessThanOrEqualTo(12 * logarithm);
    }
  }
}
