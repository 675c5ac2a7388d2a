// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import java.time.Duration;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What contexts say of themselves, found when somebody asks and remembered within a budget.
///
/// The first own turn of a context never changes, so what was found in it is right for ever (but
/// for a patch, which empties the whole memory). A context without one is asked again when its head
/// has moved. Finding costs a walk of O(log depth) and one blob. When the budget is spent, single
/// look-ups push out what was used longest ago; a walk over all contexts pushes out nothing, since
/// it would push out everything.
public final class ContextIndex implements EventListener, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ContextIndex.class.getPackageName());

  private static final long BUDGET_BYTES_MIN = 32L << 20;
  private static final long BUDGET_BYTES_MAX = 512L << 20;

  private static final int PAGE_FIRST = 256;
  private static final int PAGE_MAX = 65_536;
  private static final int PAGE_BY_NUMBER = 4_096;

  private final Store store;
  private final ContextFinder finder;
  private final Lineage lineage = new Lineage();
  private final Object linking = new Object();
  private final long budgetBytes;

  /// @param weightBytes what it counts against the budget
  private record Remembered(PackedEntry packed, int weightBytes) {}

  // ---- guarded by `remembered`
  private final LinkedHashMap<ContextId, Remembered> remembered =
      new LinkedHashMap<>(16, 0.75f, true);
  private long weightBytes;
  private long generation;

  private final Object filling = new Object();
  private @Nullable Thread filler; // guarded by `filling`
  private volatile boolean closed;

  /// An index that takes up to an eighth of the heap: 32 to 512 MiB, for some three thousand
  /// contexts a MiB.
  public ContextIndex(Store store) {
    this(
        store,
        Math.clamp(Runtime.getRuntime().maxMemory() / 8, BUDGET_BYTES_MIN, BUDGET_BYTES_MAX));
  }

  ContextIndex(Store store, long budgetBytes) {
    this.store = store;
    this.finder = new ContextFinder(store);
    this.budgetBytes = budgetBytes;
  }

  @Override
  public void on(ServerEvent event) {
    switch (event) {
      // A first turn may say something else now. File trees are attached often, and say nothing.
      case ServerEvent.TurnOverlaid(_, _, Overlay.Kind kind) when kind != Overlay.Kind.FS_ROOT -> {
        lineage.forget();
        synchronized (remembered) {
          remembered.clear();
          weightBytes = 0;
          generation++; // so that what is being read just now is not remembered
        }
      }
      case ServerEvent.ContextCreated(ContextHead made, _) when !made.head().isNone() ->
          linkAgain(made.id());
      case ServerEvent.TurnOverlaid _,
          ServerEvent.ContextCreated _,
          ServerEvent.TurnAppended _,
          ServerEvent.ContextMetadataUpdated _,
          ServerEvent.ContextLinked _,
          ServerEvent.ClientConnected _,
          ServerEvent.ClientDisconnected _,
          ServerEvent.ErrorOccurred _ -> {}
    }
  }

  /// What a context says now.
  ContextEntry entry(ContextHead head) {
    return entry(head, true);
  }

  private ContextEntry entry(ContextHead head, boolean mayPushOut) {
    Remembered kept;
    long before;
    synchronized (remembered) {
      kept = remembered.get(head.id());
      before = generation;
    }
    ContextEntry known = kept == null ? null : kept.packed().rest();
    if (kept != null
        && known != null
        && (known.isOwn() || known.head().equals(head.head()))
        && Objects.equals(known.about(), head.about())) {
      return kept.packed().entry();
    }
    ContextEntry found = finder.find(head);
    remember(head.id(), found, mayPushOut, before);
    return found;
  }

  private void remember(ContextId id, ContextEntry found, boolean mayPushOut, long before) {
    PackedEntry packed = PackedEntry.of(found);
    int weight = packed.weightBytes();
    synchronized (remembered) {
      if (generation != before) {
        return;
      }
      Remembered old = remembered.remove(id);
      weightBytes -= old == null ? 0 : old.weightBytes();
      if (weightBytes + weight > budgetBytes && !mayPushOut) {
        return;
      }
      remembered.put(id, new Remembered(packed, weight));
      weightBytes += weight;
      Iterator<Remembered> oldest = remembered.values().iterator();
      while (weightBytes > budgetBytes && oldest.hasNext()) {
        weightBytes -= oldest.next().weightBytes();
        oldest.remove();
      }
    }
  }

  int rememberedCount() {
    synchronized (remembered) {
      return remembered.size();
    }
  }

  // ---- walking

  /// Hands over the contexts, most recently active first, until `visitor` says no. What becomes
  /// active meanwhile may come late, but everything that was there when this began comes, and comes
  /// once.
  void walk(Predicate<ContextHead> visitor) {
    BitSet seen = new BitSet();
    Pass pass = pass(null, PAGE_FIRST, seen, visitor);
    int known = 0;
    // A context that became active between two pages jumped over the place where the walk was.
    while (pass == Pass.IN_PAGES && seen.cardinality() > known) {
      known = seen.cardinality();
      pass = pass(null, PAGE_MAX, seen, visitor);
    }
  }

  /// Hands over the contexts by their numbers, the greatest first, until `visitor` says no: an
  /// order that does not change while somebody goes through it in parts. Those that were there when
  /// this began come, and come once.
  ///
  /// @param before only those with smaller numbers; null for all
  void walkByNumber(@Nullable ContextId before, Predicate<ContextHead> visitor) {
    ContextId last = before;
    int limit = PAGE_FIRST;
    while (true) {
      List<ContextHead> page = store.contextsBelow(last, limit);
      for (ContextHead head : page) {
        if (!visitor.test(head)) {
          return;
        }
      }
      if (page.size() < limit) {
        return;
      }
      last = page.getLast().id();
      limit = PAGE_BY_NUMBER;
    }
  }

  /// Hands over the contexts behind `after` in the order of activity, for lists that are read page
  /// by page.
  ///
  /// @throws StoreException.NotFound if `after` was never created
  void walkFrom(ContextId after, Predicate<ContextHead> visitor) {
    pass(after, PAGE_FIRST, new BitSet(), visitor);
  }

  /// How going through the pages ended.
  private enum Pass {
    /// One page had all: nothing can have been missed.
    AT_ONCE,
    IN_PAGES,
    /// The visitor wants no more.
    ENOUGH
  }

  private Pass pass(
      @Nullable ContextId start, int firstLimit, BitSet seen, Predicate<ContextHead> visitor) {
    ContextId after = start;
    int limit = firstLimit;
    while (true) {
      List<ContextHead> page = store.contexts(after, limit);
      for (ContextHead head : page) {
        if (isNew(seen, head) && !visitor.test(head)) {
          return Pass.ENOUGH;
        }
      }
      if (page.size() < limit) {
        return Objects.equals(after, start) ? Pass.AT_ONCE : Pass.IN_PAGES;
      }
      after = page.getLast().id();
      limit = Math.min(PAGE_MAX, limit * 16);
    }
  }

  /// Numbers of contexts are small; one that is not is taken as new, at the risk of coming twice.
  private static boolean isNew(BitSet seen, ContextHead head) {
    long id = head.id().value();
    if (id < 0 || id > Integer.MAX_VALUE - 1) {
      return true;
    }
    boolean wasSeen = seen.get((int) id);
    seen.set((int) id);
    return !wasSeen;
  }

  /// What a context says, for a walk.
  ContextEntry entryOnWalk(ContextHead head) {
    return entry(head, false);
  }

  // ---- news

  /// What to tell of a turn that was just appended: if it is its context's first own one, what it
  /// says of the context, and which other context that comes from.
  public List<ServerEvent> news(Turn appended) {
    ContextHead head = store.head(appended.context());
    boolean isFirst = appended.depth() == 0 || appended.parent().equals(head.base());
    if (isFirst) {
      linkAgain(head.id());
    }
    ContextMetadata metadata = isFirst ? finder.metadata(appended.id()) : ContextMetadata.NONE;
    if (metadata.isEmpty()) {
      return List.of();
    }
    ServerEvent said =
        new ServerEvent.ContextMetadataUpdated(
            head.id(),
            metadata.provenance() != null,
            metadata.clientTag(),
            metadata.title(),
            metadata.labels());
    Long parent = metadata.parent();
    Long root = metadata.root();
    if (parent == null) {
      return List.of(said);
    }
    return List.of(
        said,
        new ServerEvent.ContextLinked(
            head.id(),
            new ContextId(parent),
            root == null ? null : new ContextId(root),
            metadata.spawnReason()));
  }

  // ---- children

  /// Where contexts come from; looks at all contexts in the background if nobody has, and waits a
  /// while for that.
  Lineage lineage(Duration time) {
    lineage.await(time, this::fill);
    return lineage;
  }

  /// A context was made, or got its first own turn: reads anew where it comes from.
  private void linkAgain(ContextId context) {
    if (lineage.isFollowed()) {
      synchronized (linking) { // so that of two that read it the later one counts
        ContextHead head = store.head(context);
        lineage.put(context.value(), entry(head).parent());
      }
    }
  }

  // ---- filling

  /// Reads what contexts say in the background: somebody has asked for more than there was time
  /// for, and may ask again. Goes through all of them if their children are asked for, else through
  /// as many as can be remembered. Does nothing if that goes on already.
  void fill() {
    synchronized (filling) {
      if (closed || filler != null && filler.isAlive()) {
        return;
      }
      filler = Thread.ofPlatform().daemon().name("varve-context-index").start(this::fillAll);
    }
  }

  private void fillAll() {
    try {
      do {
        fillOnce();
      } while (lineage.isWanted() && !closed);
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> "what contexts say was not read on: " + e);
    }
  }

  private void fillOnce() {
    long look = lineage.begin();
    boolean[] all = {true};
    walkByNumber(
        null,
        head -> {
          if (closed || isFull() && !lineage.isWanted()) {
            all[0] = false;
            return false;
          }
          lineage.found(look, head.id().value(), entryOnWalk(head).parent());
          return true;
        });
    if (all[0]) {
      lineage.end(look);
    }
  }

  private boolean isFull() {
    synchronized (remembered) {
      return weightBytes > budgetBytes - budgetBytes / 64;
    }
  }

  /// Waits for what goes on in the background. Idempotent.
  @Override
  public void close() {
    closed = true;
    Thread running;
    synchronized (filling) {
      running = filler;
    }
    boolean interrupted = false;
    while (running != null && running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
