// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreMark;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Announces the writes of other services to a store that several services share, as if they were
/// made here: contexts, turns, overlays and erasures, each once and within about a second.
///
/// The events of this service pass through, so that its own writes are not announced again. A write
/// of this service is visible a moment before its event, so a write is announced at the second look
/// only. A turn may become visible after turns with greater numbers; numbers a little below the
/// greatest are therefore looked at again for a minute.
final class SharedStoreWatch implements EventListener, AutoCloseable {

  private static final System.Logger LOG =
      System.getLogger(SharedStoreWatch.class.getPackageName());

  private static final long PERIOD_NANOS = 400_000_000;

  private static final int PAGE = 1_000;

  /// Numbers so far below the greatest are looked at again.
  private static final int LOOK_BACK = 1_000;

  /// The looks after the last change; then only a change leads to another.
  private static final int LOOKS_AFTER_CHANGE = 150;

  private final DatabaseStore store;
  private final EventListener next;
  private final UnannouncedItems<ContextHead> contexts = new UnannouncedItems<>();
  private final UnannouncedItems<TurnId> turns = new UnannouncedItems<>();
  private final UnannouncedItems<Overlay> overlays = new UnannouncedItems<>();
  private StoreMark mark;

  /// The greatest number of an erasure that was announced.
  private final AtomicInteger erasures;

  private int looksLeft;
  private volatile boolean closed;
  private @Nullable Thread thread;

  /// Takes all that is in the store now for announced.
  ///
  /// @param next receives the events of this service and of all others
  SharedStoreWatch(DatabaseStore store, EventListener next) {
    this.store = store;
    this.next = next;
    this.mark = store.mark();
    this.erasures = new AtomicInteger(mark.erasures());
    visibleTurns().keySet().forEach(turns::announced);
    visibleContexts().keySet().forEach(contexts::announced);
  }

  void start() {
    thread = Thread.ofPlatform().daemon().name("varve-shared-store").start(this::watch);
  }

  @Override
  public void on(ServerEvent event) {
    switch (event) {
      case ServerEvent.TurnAppended added -> turns.announced(added.turn().id().value());
      case ServerEvent.ContextCreated made -> contexts.announced(made.context().id().value());
      case ServerEvent.TurnOverlaid overlaid -> overlays.announced(overlaid.seq());
      case ServerEvent.BlobsErased erased -> erasures.accumulateAndGet(erased.run(), Math::max);
      case ServerEvent.ContextMetadataUpdated _,
          ServerEvent.ContextLinked _,
          ServerEvent.ClientConnected _,
          ServerEvent.ClientDisconnected _,
          ServerEvent.ErrorOccurred _ -> {}
    }
    next.on(event);
  }

  private void watch() {
    boolean fails = false;
    while (!closed) {
      LockSupport.parkNanos(PERIOD_NANOS);
      try {
        if (!closed) {
          look();
        }
        fails = false;
      } catch (StoreException.Closed e) {
        return;
      } catch (StoreException e) {
        if (!fails) {
          LOG.log(
              System.Logger.Level.WARNING,
              () -> "the writes of other services are announced later: " + e.getMessage());
        }
        fails = true;
      }
    }
  }

  /// Looks at the store, and announces what was new at the look before and is still unannounced.
  void look() {
    StoreMark now = store.mark();
    announceErasures();
    boolean isNews =
        !now.equals(mark) || contexts.isWaiting() || turns.isWaiting() || overlays.isWaiting();
    looksLeft = isNews ? LOOKS_AFTER_CHANGE : looksLeft - 1;
    if (looksLeft < 0) {
      looksLeft = 0;
      return;
    }
    SortedMap<Long, ContextHead> contextsNow = visibleContexts();
    SortedMap<Long, TurnId> turnsNow = visibleTurns();
    SortedMap<Long, Overlay> overlaysNow = visibleOverlays();
    List<Turn> added = read(turns.look(turnsNow));
    List<ContextHead> made = contexts.look(contextsNow);
    List<Overlay> overlaid = overlays.look(overlaysNow);
    mark = now;
    made.forEach(context -> next.on(new ServerEvent.ContextCreated(context, null)));
    added.forEach(turn -> next.on(new ServerEvent.TurnAppended(turn, null)));
    overlaid.forEach(
        overlay ->
            next.on(new ServerEvent.TurnOverlaid(overlay.target(), overlay.seq(), overlay.kind())));
  }

  /// Announces an erasure that was new at the look before. One announcement stands for all: what
  /// was derived from the store is made again.
  private void announceErasures() {
    int newest = mark.erasures();
    if (erasures.getAndAccumulate(newest, Math::max) < newest) {
      next.on(new ServerEvent.BlobsErased(newest));
    }
  }

  /// Reads turns. If one cannot be read now, the next looks announce all of them.
  private List<Turn> read(List<TurnId> due) {
    try {
      return due.stream().map(turn -> store.turn(turn, View.HEADERS)).toList();
    } catch (StoreException e) {
      due.forEach(turn -> turns.forget(turn.value()));
      throw e;
    }
  }

  private SortedMap<Long, ContextHead> visibleContexts() {
    long from = mark.context().value() - LOOK_BACK;
    SortedMap<Long, ContextHead> visible = new TreeMap<>();
    List<ContextHead> page = store.contextsBelow(null, PAGE);
    while (!page.isEmpty()) {
      page.forEach(context -> visible.put(context.id().value(), context));
      ContextId last = page.getLast().id();
      page = last.value() > from ? store.contextsBelow(last, PAGE) : List.of();
    }
    return visible.tailMap(from);
  }

  private SortedMap<Long, TurnId> visibleTurns() {
    SortedMap<Long, TurnId> visible = new TreeMap<>();
    TurnId from = new TurnId(Math.max(0, mark.turn().value() - LOOK_BACK));
    List<TurnId> page = store.turnNumbers(from, PAGE);
    while (!page.isEmpty()) {
      page.forEach(turn -> visible.put(turn.value(), turn));
      page = store.turnNumbers(page.getLast(), PAGE);
    }
    return visible;
  }

  private SortedMap<Long, Overlay> visibleOverlays() {
    SortedMap<Long, Overlay> visible = new TreeMap<>();
    List<Overlay> page = store.overlaysAfter(mark.overlaySeq(), PAGE);
    while (!page.isEmpty()) {
      page.forEach(overlay -> visible.put(overlay.seq(), overlay));
      page = store.overlaysAfter(page.getLast().seq(), PAGE);
    }
    return visible;
  }

  /// Ends the looks. Idempotent.
  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
    }
  }
}
