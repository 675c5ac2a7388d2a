// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.index.EntrySink;
import dev.varve.index.EntrySource;
import dev.varve.index.FingerprintTable;

/// Finds turns by what they are: by parent and payload through `children.map`, by idempotency key
/// through `keys.map`. Both tables are derived from `turns.log` and `turns.meta`.
public final class TurnFinder {

  public static final String CHILDREN_MAP = "children.map";
  public static final String KEYS_MAP = "keys.map";

  private final TurnLog turns;
  private final FingerprintTable children;
  private final FingerprintTable keys;

  /// @param children made from [#children(TurnLog)], `keys` from [#keys(TurnLog)]
  public TurnFinder(TurnLog turns, FingerprintTable children, FingerprintTable keys) {
    this.turns = turns;
    this.children = children;
    this.keys = keys;
  }

  /// The number of a turn with this parent and payload, or 0.
  public long child(long parentTurnId, BlobHash payload) {
    return Math.max(
        0,
        children.find(
            fingerprint(parentTurnId, payload), id -> isChild(turns, id, parentTurnId, payload)));
  }

  /// The number of the turn that was appended under a key, or 0.
  public long keyed(BlobHash keyHash) {
    return Math.max(0, keys.find(keyHash.w0(), id -> isKeyed(turns, id, keyHash)));
  }

  /// Enters a published turn. Of turns with one parent and one payload only the first is entered: a
  /// thousand conversations may begin with the same words.
  public void index(TurnRecord turn, TurnMeta meta) {
    if (child(turn.parentTurnId(), turn.payloadHash()) == 0) {
      children.put(fingerprint(turn.parentTurnId(), turn.payloadHash()), turn.turnId(), _ -> false);
    }
    BlobHash key = meta.keyHash();
    if (key != null) {
      keys.put(key.w0(), turn.turnId(), _ -> false);
    }
  }

  private static boolean isChild(TurnLog turns, long id, long parentTurnId, BlobHash payload) {
    long ordinal = turns.ordinal(id);
    if (ordinal < 0) {
      return false;
    }
    try {
      TurnRecord turn = turns.record(ordinal);
      return turn.parentTurnId() == parentTurnId && turn.payloadHash().equals(payload);
    } catch (StoreException.Corrupt e) {
      return false; // nobody can say what it was
    }
  }

  private static boolean isKeyed(TurnLog turns, long id, BlobHash keyHash) {
    long ordinal = turns.ordinal(id);
    try {
      return ordinal >= 0 && keyHash.equals(turns.meta(ordinal).keyHash());
    } catch (StoreException.Corrupt e) {
      return false; // nobody can say what it was
    }
  }

  private static long fingerprint(long parentTurnId, BlobHash payload) {
    return OverlayLog.fingerprint(parentTurnId) ^ payload.w0();
  }

  /// The entries from which `children.map` is made.
  public static EntrySource children(TurnLog turns) {
    return new EntrySource() {
      @Override
      public long count() {
        return turns.count();
      }

      @Override
      public void entries(long from, EntrySink sink) {
        PassedOver damages = new PassedOver();
        for (long ordinal = from; ordinal < turns.count(); ordinal++) {
          boolean forced = ordinal < turns.forcedCount();
          try {
            TurnRecord turn = turns.record(ordinal);
            sink.put(
                fingerprint(turn.parentTurnId(), turn.payloadHash()),
                turn.turnId(),
                id -> forced && isChild(turns, id, turn.parentTurnId(), turn.payloadHash()));
          } catch (StoreException.Corrupt e) {
            damages.add(String.valueOf(e.getMessage()));
          }
        }
        damages.end(TurnLog.LOG);
      }
    };
  }

  /// The entries from which `keys.map` is made.
  public static EntrySource keys(TurnLog turns) {
    return new EntrySource() {
      @Override
      public long count() {
        return turns.count();
      }

      @Override
      public long expectedEntries() {
        return 0; // most turns have no key
      }

      @Override
      public void entries(long from, EntrySink sink) {
        PassedOver damages = new PassedOver();
        for (long ordinal = from; ordinal < turns.count(); ordinal++) {
          try {
            BlobHash key = turns.meta(ordinal).keyHash();
            if (key != null) {
              sink.put(key.w0(), turns.id(ordinal), id -> isKeyed(turns, id, key));
            }
          } catch (StoreException.Corrupt e) {
            damages.add(String.valueOf(e.getMessage()));
          }
        }
        damages.end(TurnLog.META);
      }
    };
  }
}
