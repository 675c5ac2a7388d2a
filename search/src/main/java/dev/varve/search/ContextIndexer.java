// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.View;
import java.io.IOException;
import java.util.Locale;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.BytesRef;

/// Keeps one document for each context in the index: what its description says and where it was
/// forked. For one thread.
final class ContextIndexer {

  private static final int TERM_CHARS_MAX = 1024;

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
    String self = context.id().toString();
    IndexSearcher searcher = new IndexSearcher(reader);
    TopDocs there = searcher.search(new TermQuery(new Term(IndexFields.SELF, self)), 1);
    boolean isNew = there.scoreDocs.length == 0;
    BytesRef about =
        context.about() == null ? new BytesRef() : new BytesRef(context.about().bytes());
    if (!isNew
        && IndexNumbers.bytes(reader, there.scoreDocs[0].doc, IndexFields.ABOUT).equals(about)) {
      return false;
    }
    ContextFacts facts = ContextFacts.of(context.about(), store);
    writer.updateDocument(new Term(IndexFields.SELF, self), document(context, facts, about));
    turns.removeTitle(context.id().value());
    if (!facts.title().isEmpty() && !facts.isBookkeeping()) {
      turns.addTitle(context.id().value(), context.activeAt().toEpochMilli(), facts.title());
    }
    return isNew;
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
