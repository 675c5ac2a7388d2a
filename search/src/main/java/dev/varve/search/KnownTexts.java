// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/// The numbers of the texts that are in the index: those that a reader sees, and those added since.
/// For one thread.
final class KnownTexts {

  private final Map<BytesRef, Long> added = new HashMap<>();
  private IndexReader reader;
  private long next;

  /// @param next the first number that no text has
  KnownTexts(IndexReader reader, long next) {
    this.reader = reader;
    this.next = next;
  }

  /// Goes on with a reader that sees everything that was added so far.
  void refresh(IndexReader newer) {
    reader = newer;
    added.clear();
  }

  /// The number of texts that were added since the last [#refresh].
  int addedCount() {
    return added.size();
  }

  /// The number of a text; -1 if the text is not in the index.
  long find(BytesRef key) throws IOException {
    Long number = added.get(key);
    if (number != null) {
      return number;
    }
    Term term = new Term(IndexFields.KEY, key);
    for (LeafReaderContext leaf : reader.leaves()) {
      PostingsEnum documents = leaf.reader().postings(term, PostingsEnum.NONE);
      Bits live = leaf.reader().getLiveDocs();
      int document = documents == null ? DocIdSetIterator.NO_MORE_DOCS : documents.nextDoc();
      while (documents != null && document != DocIdSetIterator.NO_MORE_DOCS) {
        if (live == null || live.get(document)) {
          SortedNumericDocValues values =
              DocValues.getSortedNumeric(leaf.reader(), IndexFields.TEXT);
          if (values.advanceExact(document)) {
            return values.nextValue();
          }
        }
        document = documents.nextDoc();
      }
    }
    return -1;
  }

  /// Gives a text a number.
  long add(BytesRef key) {
    added.put(key, next);
    return next++;
  }

  /// The first number that no text has.
  long next() {
    return next;
  }
}
