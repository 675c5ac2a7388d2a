// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;

/// Reads numeric fields of every document that matches a query.
record DocumentNumbers(IndexSearcher searcher) {

  /// Receives the numbers of a document, in the order of the fields.
  @FunctionalInterface
  interface Values {
    void take(long[] values);
  }

  /// Hands out the numbers of each matching document; [Long#MIN_VALUE] for a field that the
  /// document does not have.
  void each(Query query, List<String> fields, Values each) throws IOException {
    searcher.search(
        query,
        new CollectorManager<NumberCollector, Boolean>() {
          @Override
          public NumberCollector newCollector() {
            return new NumberCollector(fields, each);
          }

          @Override
          public Boolean reduce(Collection<NumberCollector> collectors) {
            return true;
          }
        });
  }

  private static final class NumberCollector extends SimpleCollector {
    private final List<String> fields;
    private final Values each;
    private final List<SortedNumericDocValues> open = new ArrayList<>();

    NumberCollector(List<String> fields, Values each) {
      this.fields = fields;
      this.each = each;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext leaf) throws IOException {
      open.clear();
      for (String field : fields) {
        open.add(DocValues.getSortedNumeric(leaf.reader(), field));
      }
    }

    @Override
    public void collect(int document) throws IOException {
      long[] values = new long[open.size()];
      for (int i = 0; i < values.length; i++) {
        SortedNumericDocValues field = open.get(i);
        values[i] = field.advanceExact(document) ? field.nextValue() : Long.MIN_VALUE;
      }
      each.take(values);
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }
}
