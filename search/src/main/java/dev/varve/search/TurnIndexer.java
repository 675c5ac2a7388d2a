// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.Turn;
import dev.varve.search.text.FoundText;
import dev.varve.search.text.TextKind;
import dev.varve.search.text.TurnTexts;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;

/// Adds turns to the index: each text once, and a place for each turn that holds the text.
///
/// A result of a tool says how the call ended, so it adds a place to the text of the call as well.
/// For one thread.
final class TurnIndexer {

  /// The most calls that wait for their results.
  private static final int CALLS_MAX = 10_000;

  /// The body of a place. The length of each document's body is kept for the order of hits; where
  /// some documents had none, each look at a length would be a search.
  private final TokenStream noWords =
      new TokenStream() {
        @Override
        public boolean incrementToken() {
          return false;
        }
      };

  /// The call of a tool, until its result comes.
  private record Call(long text, FoundText said, long turn) {}

  private final IndexWriter writer;
  private final KnownTexts known;
  private final CredentialMask mask = new CredentialMask();
  private final WordStream body = new WordStream();
  private final WordStream paths = new WordStream();

  private final Map<String, Call> calls =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Call> eldest) {
          return size() > CALLS_MAX;
        }
      };

  TurnIndexer(IndexWriter writer, KnownTexts known) {
    this.writer = writer;
    this.known = known;
  }

  /// Adds the texts of a turn.
  void add(Turn turn) throws IOException {
    TurnTexts.Found found = TurnTexts.of(turn);
    Set<Long> seen = new HashSet<>();
    boolean first = true;
    for (FoundText text : found.texts()) {
      long number = number(text, turn.createdAt().toEpochMilli());
      if (!text.call().isEmpty() && text.kind() == TextKind.COMMAND) {
        calls.put(text.call(), new Call(number, text, turn.id().value()));
      }
      Call call = text.kind() == TextKind.OUTPUT ? calls.remove(text.call()) : null;
      if (call != null) {
        writer.addDocument(place(call.text, answered(call.said, text), turn, call.turn));
      }
      if (seen.add(number)) {
        FoundText own = call == null ? text : withTool(text, call.said);
        Document place = place(number, own, turn, turn.id().value());
        if (first) {
          ids(place, turn, found);
          first = false;
        }
        writer.addDocument(place);
      }
    }
  }

  /// Adds the title that a context has in its description, as a text without a turn.
  void addTitle(long context, long at, String title) throws IOException {
    FoundText text = new FoundText(TextKind.TITLE, title, "", "", null, "");
    Document place = place(number(text, at), text, at, context);
    place.add(new StringField(IndexFields.BY, titleOf(context), Field.Store.NO));
    writer.addDocument(place);
  }

  /// Takes the title of a context out.
  void removeTitle(long context) throws IOException {
    writer.deleteDocuments(new Term(IndexFields.BY, titleOf(context)));
  }

  /// Takes the places of a turn out.
  void remove(long turn) throws IOException {
    writer.deleteDocuments(new Term(IndexFields.BY, Long.toString(turn)));
  }

  private static String titleOf(long context) {
    return "title " + context;
  }

  private static FoundText answered(FoundText call, FoundText result) {
    return new FoundText(
        call.kind(), call.text(), call.tool(), call.path(), result.exit(), call.call());
  }

  private static FoundText withTool(FoundText result, FoundText call) {
    return new FoundText(
        result.kind(),
        result.text(),
        call.tool(),
        result.path().isEmpty() ? call.path() : result.path(),
        result.exit(),
        result.call());
  }

  /// The number of a text, which is added if it is new.
  private long number(FoundText text, long at) throws IOException {
    BytesRef key = TextKeys.of(text);
    long number = known.find(key);
    if (number >= 0) {
      return number;
    }
    long added = known.add(key);
    Document document = new Document();
    document.add(new StringField(IndexFields.KEY, key, Field.Store.NO));
    document.add(new BinaryDocValuesField(IndexFields.KEY, key));
    NumberTerms.add(document, IndexFields.TEXT, added);
    document.add(new StringField(IndexFields.KIND, text.kind().word(), Field.Store.NO));
    document.add(new LongField(IndexFields.AT, at, Field.Store.NO));
    document.add(new TextField(IndexFields.BODY, body.of(mask.apply(text.text()))));
    writer.addDocument(document);
    return added;
  }

  private Document place(long number, FoundText text, Turn turn, long shownTurn) {
    long at = turn.createdAt().toEpochMilli();
    Document place = place(number, text, at, turn.context().value());
    place.add(new SortedNumericDocValuesField(IndexFields.TURN, shownTurn));
    Set<Long> by = new HashSet<>(Set.of(turn.id().value()));
    by.add(shownTurn);
    for (Long each : by) {
      place.add(new StringField(IndexFields.BY, each.toString(), Field.Store.NO));
    }
    return place;
  }

  private Document place(long number, FoundText text, long at, long context) {
    Document place = new Document();
    NumberTerms.add(place, IndexFields.OF, number);
    place.add(new TextField(IndexFields.BODY, noWords));
    place.add(new LongField(IndexFields.CONTEXT, context, Field.Store.NO));
    place.add(new LongField(IndexFields.AT, at, Field.Store.NO));
    place.add(new StringField(IndexFields.KIND, text.kind().word(), Field.Store.NO));
    if (!text.tool().isEmpty()) {
      String tool = text.tool().toLowerCase(Locale.ROOT);
      place.add(new StringField(IndexFields.TOOL, clip(tool), Field.Store.NO));
    }
    if (!text.path().isEmpty()) {
      place.add(new TextField(IndexFields.PATH, paths.of(mask.apply(text.path()))));
    }
    if (text.exit() != null) {
      place.add(new IntField(IndexFields.EXIT, text.exit(), Field.Store.NO));
    }
    return place;
  }

  private static void ids(Document place, Turn turn, TurnTexts.Found found) {
    Set<String> ids = new HashSet<>(found.ids());
    found.texts().forEach(text -> ids.add(text.call()));
    ids.remove("");
    BytesRef hash = new BytesRef(turn.payloadHash().bytes());
    place.add(new StringField(IndexFields.HASH, hash, Field.Store.NO));
    for (String id : ids) {
      place.add(new StringField(IndexFields.ID, clip(id.toLowerCase(Locale.ROOT)), Field.Store.NO));
    }
  }

  /// Lucene refuses terms of more than 32,766 bytes.
  private static String clip(String term) {
    return term.substring(0, Math.min(term.length(), 256));
  }
}
