// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.CheckReport;
import dev.varve.CheckReport.Problem;
import dev.varve.Overlay;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.blob.PackCheck;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HeadRebuild;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnFinder;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads a whole store and reports every fault. Changes nothing.
final class StoreCheck {

  /// Problems beyond this many are counted, not listed.
  private static final int PROBLEMS_MAX = 1000;

  private static final long TURN_BYTES = TurnRecord.SIZE_BYTES + TurnMeta.SIZE_BYTES;

  private final StoreFiles files;
  private final StorePosition.Ends ends;
  private final long contextsExpected;
  private final ReadProgress progress;
  private final long totalBytes;
  private long doneBytes;
  private final List<Problem> problems = new ArrayList<>();
  private long unlisted;

  /// True if a turn has a type that the table does not have. Damage of an entry that no turn needs,
  /// because its type was declared again, is healed.
  private boolean typesMissing;

  private StoreCheck(StoreFiles files, StorePosition position, ReadProgress progress) {
    this.files = files;
    this.ends = position.ends();
    this.contextsExpected = position.counts().contexts();
    this.progress = progress;
    this.totalBytes =
        ends.packEnd()
            + ends.turns() * TURN_BYTES
            + ends.overlays() * OverlayRecord.SIZE_BYTES
            + (files.heads.maxId() + ends.headLogRecords()) * HeadRecord.SIZE_BYTES;
  }

  /// @param findings what the opening of the store found damaged
  static CheckReport of(
      StoreFiles files, StorePosition position, List<Problem> findings, ReadProgress progress) {
    StoreCheck check = new StoreCheck(files, position, progress);
    findings.forEach(check::add);
    return check.run();
  }

  /// The last turn whose records can be read.
  static CheckReport.@Nullable NewestTurn newestTurn(StoreFiles files, StorePosition.Ends ends) {
    for (long ordinal = ends.turns() - 1; ordinal >= 0; ordinal--) {
      try {
        return new CheckReport.NewestTurn(
            new TurnId(files.turns.record(ordinal).turnId()),
            Instant.ofEpochMilli(files.turns.record(ordinal).createdAtUnixMs()));
      } catch (StoreException.Corrupt e) {
        // reported where it stands
      }
    }
    return null;
  }

  private void passed(long bytes) {
    doneBytes += bytes;
    progress.reached(doneBytes, totalBytes);
  }

  private void add(Problem problem) {
    if (problems.size() < PROBLEMS_MAX) {
      problems.add(problem);
    } else {
      unlisted++;
    }
  }

  private void add(String file, long offset, String what, boolean derived) {
    add(new Problem(file, offset, file + " at byte " + offset + ": " + what, derived));
  }

  private CheckReport run() {
    long blobs =
        new PackCheck(
                files.blobs, this::add, offset -> progress.reached(doneBytes + offset, totalBytes))
            .run();
    passed(ends.packEnd());
    long turns = 0;
    for (long ordinal = 0; ordinal < ends.turns(); ordinal++) {
      turns += isSound(ordinal, this::add) ? 1 : 0;
      passed(TURN_BYTES);
    }
    long overlays = 0;
    for (long seq = 1; seq <= ends.overlays(); seq++) {
      overlays += isSoundOverlay(seq) ? 1 : 0;
      passed(OverlayRecord.SIZE_BYTES);
    }
    long contexts = 0;
    for (long id = 1; id <= files.heads.maxId(); id++) {
      contexts += isSoundHead(id) ? 1 : 0;
      passed(HeadRecord.SIZE_BYTES);
    }
    checkHeadLog();
    if (typesMissing) {
      boolean[] named = {false};
      files.types.eachDamaged(
          damage -> {
            named[0] = true;
            add(damage);
          });
      if (!named[0]) {
        add(
            TypeTable.FILE,
            files.types.endBytes(),
            "entries of types that turns have are missing",
            false);
      }
    }
    if (contexts != contextsExpected && problems.isEmpty()) {
      add(HeadTable.FILE, 0, contextsExpected + " contexts expected, found " + contexts, true);
    }
    if (unlisted > 0) {
      add(new Problem("", 0, unlisted + " more problems", false));
    }
    return new CheckReport(blobs, turns, contexts, overlays, newestTurn(files, ends), problems);
  }

  private void add(StoreException.Corrupt damage) {
    add(new Problem(damage.file(), damage.offset(), String.valueOf(damage.getMessage()), false));
  }

  private void checkHeadLog() {
    for (long i = 0; i < ends.headLogRecords(); i++) {
      long offset = i * HeadRecord.SIZE_BYTES;
      if (HeadRecord.read(files.headLog().at(offset, HeadRecord.SIZE_BYTES), 0, files.shortId())
          .isEmpty()) {
        add(HeadRebuild.LOG, offset, "a damaged record, or one of another store", false);
      }
      passed(HeadRecord.SIZE_BYTES);
    }
  }

  private boolean isSound(long ordinal, Consumer<Problem> report) {
    long offset = ordinal * TurnRecord.SIZE_BYTES;
    try {
      TurnRecord turn = files.turns.record(ordinal);
      TurnMeta meta = files.turns.meta(ordinal);
      String wrong = wrong(turn, meta);
      typesMissing |= !files.types.isKnown(turn.typeTag());
      if (wrong.isEmpty()) {
        checkFound(turn, meta);
        return true;
      }
      add(TurnLog.LOG, offset, "turn " + turn.turnId() + ": " + wrong, false);
    } catch (StoreException.Corrupt e) {
      report.accept(new Problem(e.file(), e.offset(), String.valueOf(e.getMessage()), false));
    }
    return false;
  }

  private void checkFound(TurnRecord turn, TurnMeta meta) {
    if (files.finder().child(turn.parentTurnId(), turn.payloadHash()) == 0) {
      add(TurnFinder.CHILDREN_MAP, 0, "turn " + turn.turnId() + " is not found", true);
    }
    if (meta.keyHash() != null && files.finder().keyed(meta.keyHash()) == 0) {
      add(TurnFinder.KEYS_MAP, 0, "the key of turn " + turn.turnId() + " is not found", true);
    }
  }

  /// The fault of a turn whose records are whole, or an empty text.
  private String wrong(TurnRecord turn, TurnMeta meta) {
    // One that is damaged is reported where it stands.
    if (!files.blobs.isKnown(turn.payloadHash())) {
      return "payload " + turn.payloadHash() + " is missing";
    }
    if (meta.fsRoot() != null && !files.blobs.isKnown(meta.fsRoot())) {
      return "file tree root " + meta.fsRoot() + " is missing";
    }
    if (turn.parentTurnId() == 0) {
      return turn.depth() == 0 ? "" : "a root at depth " + turn.depth();
    }
    if (turn.parentTurnId() >= turn.turnId()) {
      return "parent " + turn.parentTurnId() + " is not earlier";
    }
    long parentOrdinal = files.turns.ordinal(turn.parentTurnId());
    if (parentOrdinal < 0) {
      return "parent " + turn.parentTurnId() + " is missing";
    }
    try {
      TurnRecord parent = files.turns.record(parentOrdinal);
      if (turn.depth() != parent.depth() + 1) {
        return "depth " + turn.depth() + " below a parent at depth " + parent.depth();
      }
    } catch (StoreException.Corrupt e) {
      return ""; // reported where the parent stands
    }
    if (meta.jumpTurnId() <= 0
        || meta.jumpTurnId() >= turn.turnId()
        || files.turns.ordinal(meta.jumpTurnId()) < 0) {
      return "jump to turn " + meta.jumpTurnId();
    }
    return "";
  }

  private boolean isSoundOverlay(long seq) {
    long offset = (seq - 1) * OverlayRecord.SIZE_BYTES;
    try {
      OverlayRecord record = files.overlays.record(seq);
      if (record.seq() != seq || files.turns.ordinal(record.targetTurnId()) < 0) {
        add(
            OverlayLog.FILE,
            offset,
            "overlay " + record.seq() + " of turn " + record.targetTurnId(),
            false);
        return false;
      }
      if (record.kind() != Overlay.Kind.TOMBSTONE
          && !files.blobs.isKnown(record.newPayloadHash())) {
        add(
            OverlayLog.FILE,
            offset,
            "overlay " + seq + ": blob " + record.newPayloadHash() + " is missing",
            false);
        return false;
      }
      if (files.overlays.newestSeq(record.targetTurnId()) < seq) {
        add(OverlayLog.MAP, 0, "overlay " + seq + " is not found", true);
      }
      return true;
    } catch (StoreException.Corrupt e) {
      add(e);
      return false;
    }
  }

  private boolean isSoundHead(long id) {
    long offset = id * HeadRecord.SIZE_BYTES;
    Optional<HeadRecord> head = files.heads.find(id);
    if (head.isEmpty()) {
      return false; // a number that was skipped
    }
    long turnId = head.get().headTurnId();
    if (turnId != 0) {
      long ordinal = files.turns.ordinal(turnId);
      if (ordinal < 0) {
        add(
            HeadTable.FILE,
            offset,
            "head of context " + id + " is turn " + turnId + ", which is missing",
            true);
        return false;
      }
      try {
        if (files.turns.record(ordinal).depth() != head.get().headDepth()) {
          add(HeadTable.FILE, offset, "depth of the head of context " + id, true);
          return false;
        }
      } catch (StoreException.Corrupt e) {
        return true; // reported where the turn stands
      }
    }
    return true;
  }
}
