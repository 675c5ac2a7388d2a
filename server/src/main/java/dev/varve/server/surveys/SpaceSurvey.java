// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import dev.varve.ContextHead;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.contexts.ContextOrigin;
import java.util.List;

/// One count of the space that contexts take. Reads the header of each turn, each description, and
/// each folder of attached files; reads no payload. A turn of several contexts counts for the
/// newest.
final class SpaceSurvey {

  /// The kind of attached files and their folders.
  static final String FILES = "(files)";

  /// The kind of the blobs that describe contexts.
  static final String DESCRIPTIONS = "(descriptions)";

  private static final int PAGE_FIRST = 16;
  private static final int PAGE_MAX = 1_024;

  /// The share of the heap that names of contents and turns may take is an eighth, at 48 bytes a
  /// name while a set grows.
  private static final int HEAP_BYTES_PER_NAME = 8 * 48;

  private final Store store;
  private final ContextIndex index;
  private final ReadProgress progress;
  private final long turnsTotal;
  private final KnownContents known;
  private final ShareTable.Row all = new ShareTable.Row();
  private final ShareTable agents = new ShareTable();
  private final ShareTable projects = new ShareTable();
  private final ShareTable kinds = new ShareTable();
  private final TreeSizes trees;
  private long turnsDone;
  private long unreadable;

  SpaceSurvey(Store store, ContextIndex index, ReadProgress progress) {
    this(store, index, progress, Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_NAME);
  }

  /// @param namesMax the most names of contents that are remembered
  SpaceSurvey(Store store, ContextIndex index, ReadProgress progress, long namesMax) {
    this.store = store;
    this.index = index;
    this.progress = progress;
    this.turnsTotal = store.counts().turns();
    this.known = new KnownContents(namesMax);
    this.trees = new TreeSizes(store, known, this::pause);
  }

  SpaceShares run() {
    index.visitOrigins(this::context);
    return new SpaceShares(
        ShareTable.share("", all),
        agents.shares(),
        projects.shares(),
        kinds.shares(),
        !known.isFull(),
        unreadable + trees.unreadable());
  }

  private void pause() {
    progress.reached(turnsDone, Math.max(turnsDone, turnsTotal));
  }

  private void context(ContextHead head, ContextOrigin origin) {
    List<ShareTable.Row> rows =
        List.of(all, agents.row(origin.agent()), projects.row(origin.project()));
    rows.forEach(ShareTable.Row::context);
    pause();
    try {
      if (head.about() != null) {
        long size = store.sizeBytes(head.about());
        count(rows, DESCRIPTIONS, size, known.kept(head.about(), size));
      }
      turns(head, rows);
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      unreadable++; // `varve check` names the place
    }
  }

  private void count(List<ShareTable.Row> rows, String kind, long bytes, long kept) {
    rows.forEach(row -> row.content(bytes, kept));
    kinds.row(kind).content(bytes, kept);
  }

  /// Counts the turns from the head of a context back to the first that was counted for another
  /// context. Turns of an import belong to no context alone: a session's branches go through them.
  private void turns(ContextHead head, List<ShareTable.Row> rows) {
    if (head.head().isNone()) {
      return;
    }
    int first = known.isFull() ? ownDepth(head) : 0;
    int limit = PAGE_FIRST;
    for (int end = head.headDepth() + 1; end > first; ) {
      int start = Math.max(first, end - limit);
      List<Turn> page = store.range(head.id(), start, end - start, View.HEADERS).turns();
      for (Turn turn : page.reversed()) {
        if (!known.isNew(turn.id())) {
          return;
        }
        turn(turn, rows);
      }
      end = start;
      limit = Math.min(PAGE_MAX, 4 * limit);
    }
  }

  /// Without memory for turns, those before a fork are left out, so that the work stays linear.
  private int ownDepth(ContextHead head) {
    return head.base().isNone() ? 0 : store.turn(head.base(), View.HEADERS).depth() + 1;
  }

  private void turn(Turn turn, List<ShareTable.Row> rows) {
    turnsDone++;
    rows.forEach(ShareTable.Row::turn);
    ShareTable.Row kind = kinds.row(turn.type().id());
    kind.turn();
    if (!turn.tombstone()) {
      long kept = known.kept(turn.payloadHash(), turn.payloadSizeBytes());
      rows.forEach(row -> row.content(turn.payloadSizeBytes(), kept));
      kind.content(turn.payloadSizeBytes(), kept);
    }
    if (turn.fsRoot() != null) {
      ShareTable.Row files = kinds.row(FILES);
      files.turn();
      trees.count(turn.fsRoot(), List.of(all, rows.get(1), rows.get(2), files));
    }
    pause();
  }
}
