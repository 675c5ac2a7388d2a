// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.disk.QuietThread;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The metadata of contexts, read on demand and remembered within a budget of memory.
///
/// The first own turn of a context never changes, so its metadata is final (except after a patch,
/// which clears the whole [EntryMemory]). A context without such a turn is read again when its head
/// has moved. Reading costs a walk of O(log depth) and one blob. When the budget is used up, single
/// look-ups evict the entries that were used longest ago; a [ContextWalk] evicts nothing, because
/// it would evict everything.
public final class ContextIndex implements EventListener, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ContextIndex.class.getPackageName());

  /// The longest that the background waits for the rows of an earlier process.
  private static final Duration FILL_WAIT = Duration.ofMinutes(5);

  private static final long BUDGET_BYTES_MIN = 32L << 20;
  private static final long BUDGET_BYTES_MAX = 512L << 20;

  private final Store store;
  private final ContextFinder finder;
  private final ContextLineage lineage = new ContextLineage();
  private final Object linking = new Object();
  private final EntryMemory memory;
  private final ContextSizes sizes;
  private final LineScan lineScan;
  private final ContextWalk walk;
  private final @Nullable ContextRows rows;
  private final @Nullable RowsKeeper keeper;

  private final Object filling = new Object();
  private @Nullable Thread filler; // guarded by `filling`
  private volatile boolean closed;

  /// An index that takes up to an eighth of the heap: 32 to 512 MiB, for about three thousand
  /// contexts in each MiB.
  public ContextIndex(Store store) {
    this(store, budgetBytes());
  }

  ContextIndex(Store store, long budgetBytes) {
    this(store, budgetBytes, null, null);
  }

  private ContextIndex(
      Store store, long budgetBytes, @Nullable ContextRows rows, @Nullable RowsKeeper keeper) {
    this.store = store;
    this.finder = new ContextFinder(store);
    this.memory = new EntryMemory(budgetBytes);
    this.sizes = new ContextSizes(store);
    this.lineScan = new LineScan(store);
    this.walk = new ContextWalk(store);
    this.rows = rows;
    this.keeper = keeper;
  }

  /// An index that hears of every change of the store, by whomever, through [#on]. It keeps rows
  /// for searches, in three quarters of the memory.
  public static ContextIndex following(Store store) {
    return following(store, budgetBytes());
  }

  static ContextIndex following(Store store, long budgetBytes) {
    return new ContextIndex(store, budgetBytes / 4, rows(store, budgetBytes), null);
  }

  /// An index as [#following(Store)] that also keeps the rows in a file. Writers come after this
  /// returns; [#start] then reads the file.
  ///
  /// @param file the file of the rows, which need not exist
  /// @param root the store's root
  /// @throws StoreException.Io if the root cannot be read
  public static <S extends Store & StorageFacts> ContextIndex keeping(
      S store, Path file, Path root) {
    return keeping(
        store, budgetBytes(), new RowsKeeper.Place(file, root), RowsKeeper.Rhythm.DEFAULT);
  }

  static <S extends Store & StorageFacts> ContextIndex keeping(
      S store, long budgetBytes, RowsKeeper.Place place, RowsKeeper.Rhythm rhythm) {
    ContextRows rows = rows(store, budgetBytes);
    return new ContextIndex(
        store, budgetBytes / 4, rows, new RowsKeeper(place, rhythm, store, rows));
  }

  private static long budgetBytes() {
    return Math.clamp(Runtime.getRuntime().maxMemory() / 8, BUDGET_BYTES_MIN, BUDGET_BYTES_MAX);
  }

  private static ContextRows rows(Store store, long budgetBytes) {
    return new ContextRows(budgetBytes / 4 * 3, store.counts().overlays());
  }

  /// Begins to read the rows of an earlier process in the background.
  public void start() {
    if (keeper != null) {
      keeper.start();
    }
  }

  /// Waits for the rows of an earlier process, as long as the time allows.
  void awaitRows(Duration time) {
    if (keeper != null) {
      keeper.await(time);
    }
  }

  /// Hears that rows may have been read.
  void rowsRead() {
    if (keeper != null) {
      keeper.look();
    }
  }

  /// The rows for searches; null if changes are not heard of.
  @Nullable ContextRows rows() {
    return rows;
  }

  /// Reads the row of a context, unless it is right or there is no room.
  ///
  /// @return the parent of the context, 0 for none
  long readRow(ContextRows target, ContextHead head) {
    if (!ContextRows.hasRow(head.id().value())) {
      return parent(entryOnWalk(head));
    }
    long before = target.generation();
    TurnId source = target.begin(head);
    if (!source.isNone() && finder.firstOwn(head).equals(source) && target.confirm(head, before)) {
      long known = target.parent(head.id().value());
      return known >= 0 ? known : parent(entryOnWalk(head));
    }
    if (target.isFull()) {
      target.drop(head.id().value());
      return parent(entryOnWalk(head));
    }
    ContextFinder.FoundEntry found = finder.find(head);
    target.put(head, found, before);
    return parent(found.entry());
  }

  private static long parent(ContextEntry entry) {
    Long parent = entry.parent();
    return parent == null ? 0 : parent;
  }

  @Override
  public void on(ServerEvent event) {
    if (rows != null) {
      follow(rows, event);
    }
    if (keeper != null && event instanceof ServerEvent.BlobsErased) {
      keeper.erased();
    }
    if (event instanceof ServerEvent.TurnOverlaid || event instanceof ServerEvent.BlobsErased) {
      lineScan.forget();
    }
    switch (event) {
      // A first turn may have other metadata now. File trees are attached often, and hold no
      // metadata.
      case ServerEvent.TurnOverlaid(_, _, Overlay.Kind kind) when kind != Overlay.Kind.FS_ROOT ->
          forget();
      case ServerEvent.BlobsErased _ -> forget();
      case ServerEvent.ContextCreated(ContextHead made, _) when !made.head().isNone() ->
          linkAgain(made.id());
      case ServerEvent.ContextMetadataUpdated said -> {
        memory.forget(said.context());
        linkAgain(said.context());
      }
      case ServerEvent.TurnOverlaid _,
          ServerEvent.ContextCreated _,
          ServerEvent.TurnAppended _,
          ServerEvent.ContextLinked _,
          ServerEvent.ClientConnected _,
          ServerEvent.ClientDisconnected _,
          ServerEvent.ErrorOccurred _ -> {}
    }
  }

  private static void follow(ContextRows rows, ServerEvent event) {
    followRows(rows, event);
    if (event instanceof ServerEvent.TurnOverlaid overlaid) {
      rows.heard(overlaid.seq()); // behind the change: a file may say that it has the overlay
    }
  }

  private static void followRows(ContextRows rows, ServerEvent event) {
    switch (event) {
      case ServerEvent.ContextCreated(ContextHead made, _) -> rows.changed(made.id().value());
      case ServerEvent.TurnAppended(Turn turn, _) -> rows.changed(turn.context().value());
      case ServerEvent.ContextMetadataUpdated said -> rows.moved(said.context().value());
      case ServerEvent.TurnOverlaid(TurnId turn, _, Overlay.Kind kind)
          when kind != Overlay.Kind.FS_ROOT ->
          rows.overlaid(turn);
      case ServerEvent.BlobsErased _ -> rows.forget();
      case ServerEvent.TurnOverlaid _,
          ServerEvent.ContextLinked _,
          ServerEvent.ClientConnected _,
          ServerEvent.ClientDisconnected _,
          ServerEvent.ErrorOccurred _ -> {}
    }
  }

  private void forget() {
    lineage.forget();
    memory.forget();
    sizes.forget();
  }

  /// The sizes of contexts.
  ContextSizes sizes() {
    return sizes;
  }

  /// The search for compactions and snapshots.
  LineScan lineScan() {
    return lineScan;
  }

  /// The time of the last turn as its writer gave it; empty for a context without a readable turn.
  /// An import keeps the conversation's own times, so this time may lie long before the context was
  /// made.
  Optional<Instant> lastTurnAt(ContextHead head) {
    if (head.head().isNone()) {
      return Optional.empty();
    }
    try {
      return Optional.of(store.turn(head.head(), View.HEADERS).createdAt());
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return Optional.empty(); // the list names the context all the same; `varve check` reports it
    }
  }

  /// The current metadata of a context.
  ContextEntry entry(ContextHead head) {
    return entry(head, true);
  }

  /// The metadata of a context during a walk, which evicts nothing from the memory.
  ContextEntry entryOnWalk(ContextHead head) {
    return entry(head, false);
  }

  private ContextEntry entry(ContextHead head, boolean evicts) {
    long before = memory.generation();
    ContextEntry known = memory.get(head);
    if (known != null) {
      return known;
    }
    ContextEntry found = finder.find(head).entry();
    memory.put(head.id(), found, evicts, before);
    return found;
  }

  int rememberedCount() {
    return memory.count();
  }

  // ---- walking

  /// The walks over all contexts.
  ContextWalk walk() {
    return walk;
  }

  /// Visits all contexts with the agent and the project of each, by their numbers, the greatest
  /// first.
  public void visitOrigins(BiConsumer<ContextHead, ContextOrigin> visitor) {
    walk.byNumber(
        null,
        head -> {
          visitor.accept(head, ContextOrigin.of(entryOnWalk(head)));
          return true;
        });
  }

  /// Returns whether a context is there and holds a conversation, not a program's notes. Costs no
  /// reading of the store if the context has a row, so that 100,000 contexts can be counted.
  boolean isConversation(ContextId id) {
    return switch (rows == null ? ContextRows.Judgement.UNKNOWN : rows.conversation(id.value())) {
      case YES -> true;
      case NO -> false;
      case UNKNOWN -> {
        try {
          yield !entryOnWalk(store.head(id)).isBookkeeping();
        } catch (StoreException.NotFound e) {
          yield false; // a parent that was declared and is not here
        }
      }
    };
  }

  // ---- events

  /// The events that a newly appended turn causes: if the turn is the first own turn of its
  /// context, its metadata and the parent context that it declares.
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

  /// The event of a context that has another description, with the metadata as it is now.
  ServerEvent metadata(ContextId context) {
    ContextEntry now = entry(store.head(context));
    return new ServerEvent.ContextMetadataUpdated(
        context,
        now.metadata().provenance() != null,
        now.shownTag(),
        now.shownTitle(),
        now.metadata().labels());
  }

  // ---- children

  /// The parents and children of contexts. If they are not known yet, all contexts are read in the
  /// background, and this call waits for that for a while.
  ContextLineage lineage(Duration time) {
    lineage.await(time, this::fill);
    return lineage;
  }

  /// Reads the parent of a context again, after the context was created or got its first own turn.
  private void linkAgain(ContextId context) {
    if (lineage.isFollowed()) {
      synchronized (linking) { // the later one of two readers must win
        ContextHead head = store.head(context);
        lineage.put(context.value(), entry(head).parent());
      }
    }
  }

  // ---- reading ahead

  /// Reads the metadata of contexts in the background after a request ran out of time, because the
  /// client may ask again. Reads all contexts if their children were requested, otherwise as many
  /// as the memory holds. Does nothing while such a read is running.
  void fill() {
    synchronized (filling) {
      if (closed || filler != null && filler.isAlive()) {
        return;
      }
      filler = Thread.ofPlatform().daemon().name("varve-context-index").start(this::fillAll);
    }
  }

  private void fillAll() {
    awaitRows(FILL_WAIT);
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
    walk.byNumber(
        null,
        head -> {
          if (closed || isFull() && !lineage.isWanted()) {
            all[0] = false;
            return false;
          }
          long parent = rows == null ? parent(entryOnWalk(head)) : readRowOnce(rows, head);
          lineage.found(look, head.id().value(), parent == 0 ? null : parent);
          return true;
        });
    if (all[0]) {
      lineage.end(look);
    }
    rowsRead();
  }

  private long readRowOnce(ContextRows target, ContextHead head) {
    long known = target.isFresh(head.id().value()) ? target.parent(head.id().value()) : -1;
    return known >= 0 ? known : readRow(target, head);
  }

  private boolean isFull() {
    return rows == null ? memory.isFull() : rows.isFull();
  }

  /// Waits for the background threads; the rows are in their file then. Idempotent.
  @Override
  public void close() {
    closed = true;
    Thread running;
    synchronized (filling) {
      running = filler;
    }
    if (running != null) {
      QuietThread.join(running);
    }
    if (keeper != null) {
      keeper.close();
    }
  }
}
