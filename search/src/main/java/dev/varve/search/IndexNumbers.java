// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.BytesRef;

/// Values of single documents of the index.
final class IndexNumbers {

  private IndexNumbers() {}

  /// The number in a field; `absent` if the document has none.
  static long of(IndexReader reader, int document, String field, long absent) throws IOException {
    LeafReaderContext leaf = leaf(reader, document);
    SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
    return values.advanceExact(document - leaf.docBase) ? values.nextValue() : absent;
  }

  /// The bytes in a field; empty if the document has none.
  static BytesRef bytes(IndexReader reader, int document, String field) throws IOException {
    LeafReaderContext leaf = leaf(reader, document);
    BinaryDocValues values = DocValues.getBinary(leaf.reader(), field);
    return values.advanceExact(document - leaf.docBase)
        ? BytesRef.deepCopyOf(values.binaryValue())
        : new BytesRef();
  }

  private static LeafReaderContext leaf(IndexReader reader, int document) {
    List<LeafReaderContext> leaves = reader.leaves();
    return leaves.get(ReaderUtil.subIndex(document, leaves));
  }
}
