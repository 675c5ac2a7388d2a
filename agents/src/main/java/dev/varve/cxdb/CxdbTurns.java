// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.imports.ProblemList;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;

/// The turns of `turns.log`, in the order of their numbers.
final class CxdbTurns {

  private final SourceFile log;
  private final NumberIndex index = new NumberIndex();
  private final BitSet restored = new BitSet();
  private long[] owners = new long[0];
  private long count;
  private long skipped;
  private long roots;

  private CxdbTurns(SourceFile log) {
    this.log = log;
  }

  /// Finds the whole records.
  static CxdbTurns read(SourceFile log, ProblemList problems) {
    CxdbTurns turns = new CxdbTurns(log);
    new RecordSlots(log, CxdbTurn.SIZE_BYTES)
        .visit(
            problems,
            (offset, slot) -> {
              long id = CxdbTurn.read(slot).id();
              if (id > 0) {
                turns.index.add(id, offset);
              } else {
                problems.add(
                    log.name(), offset, "turn " + Long.toUnsignedString(id) + " cannot be");
              }
            });
    turns.index.close();
    turns.owners = new long[turns.index.size()];
    return turns;
  }

  NumberIndex index() {
    return index;
  }

  /// Notes that a record of `heads.tbl` names `turn` as a head of `context`. The append of the turn
  /// wrote the first such record.
  void own(long turn, long context) {
    int position = index.position(turn);
    if (position >= 0 && owners[position] == 0) {
      owners[position] = context;
    }
  }

  /// Returns whether `turn` was appended through `context`, as far as is known.
  boolean ownedBy(long turn, long context) {
    int position = index.position(turn);
    return position >= 0 && owners[position] == context;
  }

  /// Returns whether `turn` was imported.
  boolean has(long turn) {
    int position = index.position(turn);
    return position >= 0 && restored.get(position);
  }

  /// Imports all turns whose parent and blob are present.
  void restore(BulkStore store, MetaReader meta, CxdbRoots fsRoots, ProblemList problems) {
    for (int position = 0; position < index.size(); position++) {
      long offset = index.offset(position);
      CxdbTurn record = CxdbTurn.read(log.at(offset, CxdbTurn.SIZE_BYTES));
      if (record.parent() != 0 && !has(record.parent())) {
        skip(
            record,
            offset,
            "its parent " + Long.toUnsignedString(record.parent()) + " is missing",
            problems);
      } else if (!store.has(record.payload())) {
        skip(record, offset, "its blob " + record.payload() + " is missing", problems);
      } else {
        adopt(position, record);
        Turn turn = restore(store, position, record, meta.find(record.id()), fsRoots, problems);
        restored.set(position);
        count++;
        if (turn.depth() != record.depth()) {
          problems.add(
              log.name(),
              offset,
              "turn " + turn.id() + ": says depth " + record.depth() + ", is at " + turn.depth());
        }
      }
    }
  }

  private void skip(CxdbTurn record, long offset, String why, ProblemList problems) {
    skipped++;
    problems.add(log.name(), offset, "turn " + record.id() + ": " + why);
  }

  /// Gives a turn the context of its parent if the record of the turn's append is lost.
  private void adopt(int position, CxdbTurn record) {
    if (owners[position] == 0 && record.parent() != 0) {
      owners[position] = owners[index.position(record.parent())];
    }
  }

  private Turn restore(
      BulkStore store,
      int position,
      CxdbTurn record,
      Optional<CxdbMeta> meta,
      CxdbRoots fsRoots,
      ProblemList problems) {
    Payload payload = store.get(record.payload());
    if (meta.isEmpty()) {
      problems.add("turns/turns.meta", -1, "turn " + record.id() + ": nothing is declared");
    }
    NewTurn turn =
        new NewTurn(
            payload,
            meta.map(CxdbMeta::type).orElse(DeclaredType.UNDECLARED),
            new Encoding(meta.map(CxdbMeta::encoding).orElse(record.codec())),
            new TurnId(record.parent()),
            null,
            null,
            fsRoot(store, record, fsRoots, problems).orElse(null),
            meta.map(CxdbMeta::compression).orElse(0),
            null);
    return store.restoreTurn(
        new TurnId(record.id()),
        new ContextId(owners[position]),
        turn,
        Instant.ofEpochMilli(Math.max(0, record.createdAtMs())));
  }

  private Optional<BlobHash> fsRoot(
      BulkStore store, CxdbTurn record, CxdbRoots fsRoots, ProblemList problems) {
    Optional<BlobHash> root = fsRoots.find(record.id());
    if (root.isPresent() && !store.has(root.get())) {
      problems.add(
          "fs/roots.idx",
          -1,
          "turn " + record.id() + ": its file tree " + root.get() + " is missing");
      return Optional.empty();
    }
    root.ifPresent(_ -> roots++);
    return root;
  }

  long count() {
    return count;
  }

  long skipped() {
    return skipped;
  }

  long roots() {
    return roots;
  }
}
