// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.View;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Keeps one document for each context in the index: what its description says and where it was
/// forked. For one thread.
final class ContextIndexer {

  private static final int TERM_CHARS_MAX = 1024;

  /// The most contexts whose descriptions are kept in memory.
  private static final int TAKEN_MAX = 10_000;

  /// The descriptions of contexts that were looked at, by the contexts' numbers: a context is
  /// looked at with each of its turns, and a reader does not see what was added just now.
  private final Map<Long, BytesRef> taken = new HashMap<>();

  private final Store store;
  private final IndexWriter writer;
  private final TurnIndexer turns;

  ContextIndexer(Store store, IndexWriter writer, TurnIndexer turns) {
    this.store = store;
    this.writer = writer;
    this.turns = turns;
  }

  /// Adds a context, or replaces its document if the description is another one.
  ///
  /// @param reader what was indexed before
  /// @return whether the context was not in the index before
  boolean take(ContextHead context, IndexReader reader) throws IOException {
    BytesRef about =
        context.about() == null ? new BytesRef() : new BytesRef(context.about().bytes());
    BytesRef before = taken.get(context.id().value());
    if (before == null) {
      before = indexed(context, reader);
    }
    taken.put(context.id().value(), about);
    if (about.equals(before)) {
      return false;
    }
    ContextFacts facts = ContextFacts.of(context.about(), store);
    Document document = document(context, facts, about);
    if (before == null) {
      writer.addDocument(document);
    } else {
      writer.updateDocument(new Term(IndexFields.SELF, context.id().toString()), document);
      turns.removeTitle(context.id().value());
    }
    if (!facts.title().isEmpty() && !facts.isBookkeeping()) {
      turns.addTitle(context.id().value(), context.activeAt().toEpochMilli(), facts.title());
    }
    return before == null;
  }

  /// The description that the index has of a context; null if it does not have the context.
  private static @Nullable BytesRef indexed(ContextHead context, IndexReader reader)
      throws IOException {
    Query self = new TermQuery(new Term(IndexFields.SELF, context.id().toString()));
    TopDocs there = new IndexSearcher(reader).search(self, 1);
    return there.scoreDocs.length == 0
        ? null
        : IndexNumbers.bytes(reader, there.scoreDocs[0].doc, IndexFields.ABOUT);
  }

  /// Hears that the reader sees everything that was added.
  void refresh() {
    if (isLarge()) {
      taken.clear();
    }
  }

  /// Returns whether the memory for descriptions is full until the next [#refresh].
  boolean isLarge() {
    return taken.size() >= TAKEN_MAX;
  }

  private Document document(ContextHead context, ContextFacts facts, BytesRef about) {
    Document document = new Document();
    document.add(new StringField(IndexFields.SELF, context.id().toString(), Field.Store.NO));
    document.add(new LongField(IndexFields.CONTEXT, context.id().value(), Field.Store.NO));
    document.add(new BinaryDocValuesField(IndexFields.ABOUT, about));
    word(document, IndexFields.AGENT, facts.agent());
    word(document, IndexFields.PROJECT, facts.project());
    word(document, IndexFields.PROJECT, facts.folder());
    word(document, IndexFields.BRANCH, facts.branch());
    word(document, IndexFields.ID, facts.session());
    if (!context.base().isNone()) {
      document.add(new LongField(IndexFields.BASE, context.base().value(), Field.Store.NO));
      document.add(new LongField(IndexFields.ORIGIN, origin(context), Field.Store.NO));
    }
    return document;
  }

  private static void word(Document document, String field, String text) {
    if (!text.isEmpty()) {
      String lower = text.toLowerCase(Locale.ROOT);
      String term = lower.substring(0, Math.min(lower.length(), TERM_CHARS_MAX));
      document.add(new StringField(field, term, Field.Store.NO));
    }
  }

  private long origin(ContextHead context) {
    try {
      return store.turn(context.base(), View.HEADERS).context().value();
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return 0;
    }
  }
}
