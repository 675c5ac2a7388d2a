// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.LongBitSet;

/// The texts whose numbers are in a set: those that have a place which passes the filters.
final class TextSetQuery extends Query {

  private static final int LOOK_COST = 10;

  private final LongBitSet numbers;

  TextSetQuery(LongBitSet numbers) {
    this.numbers = numbers;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), IndexFields.TEXT);
        TwoPhaseIterator matches =
            new TwoPhaseIterator(values) {
              @Override
              public boolean matches() throws IOException {
                long number = values.nextValue();
                return number < numbers.length() && numbers.get(number);
              }

              @Override
              public float matchCost() {
                return LOOK_COST;
              }
            };
        return new DefaultScorerSupplier(new ConstantScoreScorer(score(), scoreMode, matches));
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "texts of places";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TextSetQuery query && query.numbers.equals(numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }
}
