// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/// Numbers of texts as terms: the documents of one number are found at once, where a tree of
/// numbers, made for ranges, would be searched.
final class NumberTerms {

  private NumberTerms() {}

  /// Gives a document a number by which the document is found, and which is read from the document.
  static void add(Document document, String field, long number) {
    document.add(new StringField(field, bytes(number), Field.Store.NO));
    document.add(new SortedNumericDocValuesField(field, number));
  }

  /// The documents that have a number.
  static Query query(String field, long number) {
    return new TermQuery(new Term(field, bytes(number)));
  }

  private static BytesRef bytes(long number) {
    byte[] bytes = new byte[Long.BYTES];
    NumericUtils.longToSortableBytes(number, bytes, 0);
    return new BytesRef(bytes);
  }
}
