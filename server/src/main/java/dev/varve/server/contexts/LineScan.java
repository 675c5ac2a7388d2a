// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.server.value.JsonReader;
import dev.varve.server.value.PayloadValue;
import dev.varve.server.value.ValueBounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The search for compactions and snapshots on the way between two turns.
///
/// The search reads headers, piece by piece from the newest turn back, and remembers each piece: a
/// line that grew costs its new turns, and a search that ran out of time goes on when it is asked
/// again. The type of a turn says what is a compaction, except Claude Code's, whose short payload
/// is read. For any threads.
final class LineScan {

  /// The most marks of a kind that are named on one way; all are counted.
  static final int NAMED_MAX = 16;

  /// The turns of a piece. Pieces begin at multiples, so that lines share theirs.
  private static final int PIECE_TURNS = 512;

  private static final int PIECES_REMEMBERED_MAX = 8_192;
  private static final int NOTE_BYTES_MAX = 1 << 16;
  private static final ValueBounds NOTE_BOUNDS = new ValueBounds(32, 10_000, NOTE_BYTES_MAX);

  /// The marks on a way, the oldest first.
  ///
  /// @param compactions the last ones
  /// @param snapshots the last ones
  /// @param isWhole whether the whole way was read
  record Found(
      List<LineMark> compactions,
      int compactionCount,
      List<LineMark> snapshots,
      int snapshotCount,
      boolean isWhole) {}

  private record PieceKey(TurnId last, int first) {}

  /// @param firstFiles the files that are attached first in the piece; null if none are attached
  private record Piece(
      List<LineMark> compactions,
      int compactionCount,
      List<LineMark> snapshots,
      int snapshotCount,
      @Nullable BlobHash firstFiles,
      @Nullable BlobHash lastFiles) {}

  private static final Piece NOTHING = new Piece(List.of(), 0, List.of(), 0, null, null);

  private final Store store;

  // ---- guarded by this
  private final Map<PieceKey, Piece> remembered =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PieceKey, Piece> eldest) {
          return size() > PIECES_REMEMBERED_MAX;
        }
      };
  private long generation;

  LineScan(Store store) {
    this.store = store;
  }

  /// The marks on the way to a turn.
  ///
  /// @param line a context on whose path the turn is
  /// @param first the depth of the first turn of the way
  /// @param depth of `last`
  Found marks(ContextId line, int first, TurnId last, int depth, Deadline deadline) {
    List<Piece> pieces = new ArrayList<>();
    boolean isWhole = true;
    for (int end = depth; isWhole && end >= first; ) {
      int start = Math.max(first, end - end % PIECE_TURNS);
      Piece piece = piece(line, start, store.ancestor(last, end), end, deadline);
      isWhole = piece != null;
      if (piece != null) {
        pieces.add(piece);
      }
      end = start - 1;
    }
    return joined(pieces.reversed(), isWhole);
  }

  private static Found joined(List<Piece> pieces, boolean isWhole) {
    List<LineMark> compactions = new ArrayList<>();
    List<LineMark> snapshots = new ArrayList<>();
    int compactionCount = 0;
    int snapshotCount = 0;
    BlobHash files = null;
    for (Piece piece : pieces) {
      compactions.addAll(piece.compactions());
      compactionCount += piece.compactionCount();
      boolean goesOn = files != null && files.equals(piece.firstFiles());
      boolean namesFirst = piece.snapshots().size() == piece.snapshotCount();
      snapshots.addAll(
          piece.snapshots().subList(goesOn && namesFirst ? 1 : 0, piece.snapshots().size()));
      snapshotCount += piece.snapshotCount() - (goesOn ? 1 : 0);
      files = piece.lastFiles() == null ? files : piece.lastFiles();
    }
    return new Found(
        lastOf(compactions), compactionCount, lastOf(snapshots), snapshotCount, isWhole);
  }

  private static List<LineMark> lastOf(List<LineMark> marks) {
    return List.copyOf(marks.subList(Math.max(0, marks.size() - NAMED_MAX), marks.size()));
  }

  /// Null if the time is over. A piece that cannot be read has no marks.
  private @Nullable Piece piece(
      ContextId line, int start, TurnId last, int end, Deadline deadline) {
    PieceKey key = new PieceKey(last, start);
    long before = generation();
    Piece known = known(key);
    if (known != null) {
      return known;
    }
    if (deadline.wasOver() || deadline.isOver()) {
      return null;
    }
    try {
      List<Turn> turns = store.range(line, start, end - start + 1, View.HEADERS).turns();
      if (turns.isEmpty() || !turns.getLast().id().equals(last)) {
        return NOTHING; // the context went another way meanwhile
      }
      Piece found = read(turns);
      remember(key, found, before);
      return found;
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return NOTHING; // `varve check` names the place
    }
  }

  private Piece read(List<Turn> turns) {
    List<LineMark> compactions = new ArrayList<>();
    List<LineMark> snapshots = new ArrayList<>();
    BlobHash first = null;
    BlobHash files = null;
    for (Turn turn : turns) {
      if (isCompaction(turn)) {
        compactions.add(LineMark.compaction(turn.id(), turn.depth()));
      }
      BlobHash attached = turn.fsRoot();
      if (attached != null && !attached.equals(files)) {
        snapshots.add(LineMark.snapshot(turn.id(), turn.depth(), attached));
        first = first == null ? attached : first;
        files = attached;
      }
    }
    return new Piece(
        lastOf(compactions), compactions.size(), lastOf(snapshots), snapshots.size(), first, files);
  }

  private boolean isCompaction(Turn turn) {
    String type = turn.type().id();
    return switch (type.substring(type.lastIndexOf('.') + 1)) {
      case "compaction", "compacted" -> true;
      case "system" -> type.equals("claude-code.system") && isBoundary(turn);
      default -> false;
    };
  }

  private boolean isBoundary(Turn turn) {
    if (turn.tombstone() || turn.payloadSizeBytes() > NOTE_BYTES_MAX) {
      return false;
    }
    try {
      return JsonReader.read(store.get(turn.payloadHash()), NOTE_BOUNDS)
              instanceof PayloadValue.Entries(List<PayloadValue.Entry> members)
          && members.contains(
              new PayloadValue.Entry(
                  new PayloadValue.Text("subtype"), new PayloadValue.Text("compact_boundary")));
    } catch (StoreException.Invalid
        | StoreException.TooLarge
        | StoreException.Corrupt
        | StoreException.NotFound e) {
      return false; // the view of the turn reports the fault
    }
  }

  private synchronized long generation() {
    return generation;
  }

  private synchronized @Nullable Piece known(PieceKey key) {
    return remembered.get(key);
  }

  private synchronized void remember(PieceKey key, Piece piece, long before) {
    if (generation == before) {
      remembered.put(key, piece);
    }
  }

  /// Forgets all pieces: files were attached to turns, or payloads were replaced, hidden or erased.
  synchronized void forget() {
    remembered.clear();
    generation++;
  }
}
