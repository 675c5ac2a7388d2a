// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import org.jspecify.annotations.Nullable;

/// The search for the metadata of a context: a walk of O(log depth) to its first own turn, and that
/// turn's payload.
record ContextFinder(Store store) {

  /// A description up to this size is verified if it says nothing.
  private static final long ABOUT_BYTES_MAX = 64L << 20;

  /// An entry and where it comes from.
  ///
  /// @param source the first own turn of the context; none while there is none
  /// @param isInherited whether turns of other contexts have a part in the metadata
  /// @param isWhole whether everything could be read. What is damaged, erased or not there yet may
  ///   be there later
  record FoundEntry(ContextEntry entry, TurnId source, boolean isInherited, boolean isWhole) {}

  /// Counts what could not be read. For one reading.
  private static final class Gaps {
    private int count;
  }

  FoundEntry find(ContextHead head) {
    Gaps gaps = new Gaps();
    AboutReader about = AboutReader.of(head.about(), store);
    Turn base = head.base().isNone() ? null : turn(head.base(), gaps);
    TurnId first = firstOwn(head, base);
    TurnId source = first.isNone() ? rootOf(base, gaps) : first;
    ContextMetadata metadata = metadata(source, gaps);
    boolean isInherited = !head.base().isNone() && (first.isNone() || metadata.isEmpty());
    if (isInherited && base != null && !first.isNone()) {
      // a fork without metadata has the metadata of its origin
      metadata = metadata(firstOfContext(base, gaps), gaps);
    }
    ContextEntry entry =
        new ContextEntry(
            metadata,
            !first.isNone(),
            head.head(),
            head.about(),
            about,
            base == null ? null : base.context().value());
    return new FoundEntry(
        entry, first, isInherited, gaps.count == 0 && isRead(head.about(), about));
  }

  /// Returns whether a description was read, and not only taken for empty because it is damaged.
  private boolean isRead(@Nullable BlobHash about, AboutReader found) {
    return about == null
        || !found.equals(AboutReader.NOTHING)
        || store.isReadable(about, ABOUT_BYTES_MAX);
  }

  /// The first own turn of a context; [TurnId#NONE] while there is none. Reads no payload.
  TurnId firstOwn(ContextHead head) {
    return firstOwn(head, head.base().isNone() ? null : turn(head.base(), new Gaps()));
  }

  /// The first turn after the base on the way to the head; [TurnId#NONE] while there is none.
  private TurnId firstOwn(ContextHead head, @Nullable Turn base) {
    if (head.head().isNone() || head.head().equals(head.base())) {
      return TurnId.NONE;
    }
    if (base != null
        && head.headDepth() > base.depth()
        && store.ancestor(head.head(), base.depth()).equals(base.id())) {
      return store.ancestor(head.head(), base.depth() + 1);
    }
    return store.ancestor(head.head(), 0);
  }

  private TurnId rootOf(@Nullable Turn base, Gaps gaps) {
    return base == null ? TurnId.NONE : firstOfContext(base, gaps);
  }

  /// The first own turn of the context through which `turn` was appended, if that turn lies on the
  /// path to `turn`; the root if that context has no metadata.
  private TurnId firstOfContext(Turn turn, Gaps gaps) {
    try {
      ContextHead origin = store.head(turn.context());
      Turn base = origin.base().isNone() ? null : turn(origin.base(), gaps);
      if (base != null
          && turn.depth() > base.depth()
          && store.ancestor(turn.id(), base.depth()).equals(base.id())) {
        TurnId first = store.ancestor(turn.id(), base.depth() + 1);
        if (!metadata(first, gaps).isEmpty()) {
          return first;
        }
      }
    } catch (StoreException.NotFound e) {
      gaps.count++; // imported without its context: take the root
    }
    return store.ancestor(turn.id(), 0);
  }

  private @Nullable Turn turn(TurnId id, Gaps gaps) {
    try {
      return store.turn(id, View.HEADERS);
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      gaps.count++;
      return null;
    }
  }

  /// The metadata of a turn. A damaged turn has none; `varve check` and the view of the turn report
  /// the damage.
  ContextMetadata metadata(TurnId id) {
    return metadata(id, new Gaps());
  }

  private ContextMetadata metadata(TurnId id, Gaps gaps) {
    if (id.isNone()) {
      return ContextMetadata.NONE;
    }
    try {
      Turn turn = store.turn(id, View.LATEST);
      return turn.payload() == null
          ? ContextMetadata.NONE
          : MetadataReader.read(turn.payload(), turn.encoding());
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      gaps.count++;
      return ContextMetadata.NONE;
    }
  }
}
