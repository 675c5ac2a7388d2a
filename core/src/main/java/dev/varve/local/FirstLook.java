// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRebuild;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.util.ArrayList;
import java.util.List;

/// Reads the first and the last record of each primary file, so that an opening reports a file that
/// belongs to another store or is damaged at these records.
final class FirstLook {

  private final StoreFiles files;
  private final List<StoreException.Corrupt> damages = new ArrayList<>();

  private FirstLook(StoreFiles files) {
    this.files = files;
  }

  static List<StoreException.Corrupt> at(StoreFiles files, StorePosition.Ends ends) {
    FirstLook look = new FirstLook(files);
    if (ends.turns() > 0) {
      look.turn(0);
      look.turn(ends.turns() - 1);
    }
    if (ends.headLogRecords() > 0) {
      look.head(0);
      look.head(ends.headLogRecords() - 1);
    }
    if (ends.overlays() > 0) {
      look.tryRead(() -> files.overlays.record(1));
      look.tryRead(() -> files.overlays.record(ends.overlays()));
    }
    return look.damages;
  }

  private void tryRead(Runnable read) {
    try {
      read.run();
    } catch (StoreException.Corrupt e) {
      damages.add(e);
    }
  }

  private void turn(long ordinal) {
    tryRead(() -> files.turns.meta(ordinal));
    tryRead(
        () -> {
          TurnRecord turn = files.turns.record(ordinal);
          if (!files.blobs.isKnown(turn.payloadHash())) {
            throw new StoreException.Corrupt(
                TurnLog.LOG,
                ordinal * TurnRecord.SIZE_BYTES,
                "a turn whose payload is there",
                "one without");
          }
          if (!files.types.isKnown(turn.typeTag())) {
            throw new StoreException.Corrupt(
                TypeTable.FILE, 0, "the type of turn " + turn.turnId(), "no such entry");
          }
        });
  }

  private void head(long ordinal) {
    long offset = ordinal * HeadRecord.SIZE_BYTES;
    if (HeadRecord.read(files.headLog().at(offset, HeadRecord.SIZE_BYTES), 0, files.shortId())
        .isEmpty()) {
      damages.add(
          new StoreException.Corrupt(
              HeadRebuild.LOG, offset, "a record of this store", "other bytes"));
    }
  }
}
