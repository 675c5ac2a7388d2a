// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.Overlay;
import dev.varve.disk.AppendFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.SimulatedDisk;
import dev.varve.index.EntrySink;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

class OverlayLogTest {

  private static final long STORE = 0x1122334455667788L;

  private final OverlayLog log =
      new OverlayLog(
          AppendFile.open(new SimulatedDisk(0), OverlayLog.FILE, FileGrowth.DEFAULTS), STORE);

  private void tombstone(long seq, long turn) {
    ByteBuffer bytes = ByteBuffer.allocate(OverlayRecord.SIZE_BYTES);
    new OverlayRecord(turn, new BlobHash(0, 0, 0, 0), Overlay.Kind.TOMBSTONE, seq, 0)
        .write(MemorySegment.ofBuffer(bytes), 0, STORE);
    log.write(seq, bytes);
  }

  /// The question, for each entry that the log gives, whether the entry displaces another.
  private List<LongPredicate> superseding() {
    List<LongPredicate> asked = new ArrayList<>();
    EntrySink sink = (_, _, superseded) -> asked.add(superseded);
    log.entries(0, sink);
    return asked;
  }

  /// A table may be made again while a store is open that does not force: after a power cut, the
  /// overlay that is not forced is gone, and the one before has to be found.
  @Test
  void onlyAnOverlayThatIsForcedDisplacesTheOneBefore() {
    tombstone(1, 7);
    tombstone(2, 7);
    tombstone(3, 8);
    log.publish(3);

    assertThat(superseding().get(1).test(1)).isFalse();
    log.noteForced(1);
    assertThat(superseding().get(1).test(1)).isFalse();
    log.noteForced(2);
    assertThat(superseding().get(1).test(1)).isTrue();
    assertThat(superseding().get(2).test(1)).as("of another turn").isFalse();
  }
}
