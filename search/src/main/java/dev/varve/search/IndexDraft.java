// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.Store;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/// An index that is being written: in the folder of the store, or in memory beside an index that
/// somebody else writes. For one thread, except [#merge].
///
/// What is added costs little until a reader is to see it: a reader is made when somebody searches,
/// and a part of the index is written when [CommitRhythm] says so.
final class IndexDraft implements AutoCloseable {

  /// The number of texts that are known by a table in memory before a new reader knows them.
  private static final int ADDED_MAX = 50_000;

  /// The number of new texts from which on a reader is made in advance, so that a search in the
  /// midst of an import does not have to write them all.
  private static final int ADDED_MANY = 2_000;

  /// Parts of the index up to this size are merged without regard to their size. A turn's own part
  /// has a few kilobytes: with a greater floor each merge would rewrite all turns of the last
  /// hours.
  private static final double FLOOR_MEGABYTES = 0.5;

  private static final double BUFFER_MEGABYTES = 48;

  private final MergeQueue merges = new MergeQueue();
  private final IndexWriter writer;
  private final @Nullable DirectoryReader base;
  private final KnownTexts known;
  private final TurnIndexer turns;
  private final ContextIndexer contexts;
  private DirectoryReader own;
  private IndexReader reader;
  private IndexMark mark;
  private IndexMark committed;

  private IndexDraft(
      Directory directory, @Nullable DirectoryReader base, IndexMark mark, Store store)
      throws IOException {
    this.writer = new IndexWriter(directory, config(merges));
    this.base = base;
    this.mark = mark;
    this.committed = mark;
    this.own = DirectoryReader.open(writer);
    this.reader = joined();
    this.known = new KnownTexts(reader, mark.texts());
    this.turns = new TurnIndexer(writer, known);
    this.contexts = new ContextIndexer(store, writer, turns);
  }

  /// Goes on with the index in a folder, which nobody else writes.
  static IndexDraft of(Directory directory, IndexMark mark, Store store) throws IOException {
    return new IndexDraft(directory, null, mark, store);
  }

  /// Begins an index in memory that goes on where another index ends. What is taken out of the
  /// store meanwhile stays in the other index: whoever shows a turn reads the turn again anyway.
  static IndexDraft beside(DirectoryReader base, IndexMark mark, Store store) throws IOException {
    return new IndexDraft(new ByteBuffersDirectory(), base, mark, store);
  }

  /// Begins an index in memory.
  static IndexDraft inMemory(IndexMark mark, Store store) throws IOException {
    return new IndexDraft(new ByteBuffersDirectory(), null, mark, store);
  }

  private static IndexWriterConfig config(MergeQueue merges) {
    return new IndexWriterConfig()
        .setRAMBufferSizeMB(BUFFER_MEGABYTES)
        .setMergeScheduler(merges)
        .setMergePolicy(new TieredMergePolicy().setFloorSegmentMB(FLOOR_MEGABYTES))
        .setMaxFullFlushMergeWaitMillis(0) // a search waits for no merge
        .setCommitOnClose(false);
  }

  private IndexReader joined() throws IOException {
    return base == null ? own : new MultiReader(new IndexReader[] {base, own}, false);
  }

  TurnIndexer turns() {
    return turns;
  }

  ContextIndexer contexts() {
    return contexts;
  }

  /// Sees what was added before the last [#refresh].
  IndexReader reader() {
    return reader;
  }

  IndexMark mark() {
    return mark;
  }

  void mark(IndexMark value) {
    mark = value;
  }

  long textsNext() {
    return known.next();
  }

  /// Makes everything that was added visible to [#reader].
  void refresh() throws IOException {
    DirectoryReader newer = DirectoryReader.openIfChanged(own, writer);
    if (newer != null) {
      DirectoryReader old = own;
      own = newer;
      reader = joined();
      known.refresh(reader);
      contexts.refresh();
      old.decRef();
    }
  }

  void refreshIfLarge() throws IOException {
    if (known.addedCount() >= ADDED_MAX || contexts.isLarge()) {
      refresh();
    }
  }

  void refreshIfMany() throws IOException {
    if (known.addedCount() >= ADDED_MANY) {
      refresh();
    }
  }

  /// Runs the merges that wait, however long they take. For any thread.
  void merge() throws IOException {
    merges.run();
  }

  /// Returns whether there is something that is not on the disk yet.
  boolean isDirty() {
    return !mark.equals(committed);
  }

  /// The number of turns that are not on the disk yet.
  long turnsUncommitted() {
    return mark.turns() - committed.turns();
  }

  /// Writes what was added to the disk, with the mark: after a crash the index is as it was then.
  void commit() throws IOException {
    if (isDirty()) {
      commitMark();
    }
  }

  /// Writes the mark to the disk, also if nothing was added.
  void commitMark() throws IOException {
    writer.setLiveCommitData(mark.data().entrySet());
    writer.commit();
    committed = mark;
  }

  /// Drops what was not committed. Readers stay open until they are released.
  @Override
  public void close() throws IOException {
    try {
      writer.rollback();
    } finally {
      own.close();
      if (base != null) {
        base.close();
      }
    }
  }
}
