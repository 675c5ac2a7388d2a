// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.search.text.FoundText;
import dev.varve.search.text.TextKind;
import dev.varve.search.text.TurnTexts;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/// Reads what was found from the store. A text that the turn no longer has, because the turn was
/// deleted or replaced, is not found after all. For one search.
final class HitReader {

  private static final CredentialMask MASK = new CredentialMask();

  private final Store store;
  private final IndexSearcher searcher;
  private final SnippetCutter snippets;
  private final HolderContexts holders;
  private final Map<ContextId, ContextFacts> facts = new HashMap<>();

  HitReader(Store store, IndexSearcher searcher, SnippetCutter snippets) {
    this.store = store;
    this.searcher = searcher;
    this.snippets = snippets;
    this.holders = new HolderContexts(store, searcher);
  }

  /// The hit at a place.
  ///
  /// @param key of the text
  /// @param place the document of the place
  Optional<SearchHit> read(BytesRef key, int place) throws IOException {
    long turn = number(place, IndexFields.TURN);
    ContextId context = new ContextId(number(place, IndexFields.CONTEXT));
    try {
      return turn == 0 ? title(key, place, context) : text(key, place, new TurnId(turn));
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return Optional.empty(); // `varve check` reports the damage
    }
  }

  private long number(int place, String field) throws IOException {
    return IndexNumbers.of(searcher.getIndexReader(), place, field, 0);
  }

  private Optional<SearchHit> title(BytesRef key, int place, ContextId context) throws IOException {
    ContextHead head = store.head(context);
    ContextFacts about = facts(context);
    FoundText text = new FoundText(TextKind.TITLE, about.title(), "", "", null, "");
    if (!TextKeys.of(text).equals(key)) {
      return Optional.empty();
    }
    Instant at = Instant.ofEpochMilli(number(place, IndexFields.AT));
    SearchHit.Place where = new SearchHit.Place(head.id(), about, TurnId.NONE, null, at);
    return Optional.of(hit(where, text, 1));
  }

  private Optional<SearchHit> text(BytesRef key, int place, TurnId id) throws IOException {
    Turn turn = store.turn(id, View.LATEST);
    for (FoundText text : TurnTexts.of(turn).texts()) {
      if (TextKeys.of(text).equals(key)) {
        Set<ContextId> contexts = holders.of(turn);
        ContextId shown = shown(contexts);
        SearchHit.Place where =
            new SearchHit.Place(shown, facts(shown), id, turn.payloadHash(), turn.createdAt());
        return Optional.of(hit(where, withStatus(text, place), branches(contexts)));
      }
    }
    return Optional.empty();
  }

  /// The status of a call is that of its result, which the place knows.
  private FoundText withStatus(FoundText text, int place) throws IOException {
    long exit = IndexNumbers.of(searcher.getIndexReader(), place, IndexFields.EXIT, Long.MIN_VALUE);
    Integer status = exit == Long.MIN_VALUE ? text.exit() : Integer.valueOf((int) exit);
    return new FoundText(text.kind(), text.text(), text.tool(), text.path(), status, text.call());
  }

  private SearchHit hit(SearchHit.Place where, FoundText text, int branches) {
    String masked = MASK.apply(text.text());
    FoundText shown =
        new FoundText(text.kind(), masked, text.tool(), text.path(), text.exit(), text.call());
    return new SearchHit(where, shown, snippets.cut(masked), branches);
  }

  /// An import appends through a context for its notes, which nobody wants to see.
  private ContextId shown(Set<ContextId> contexts) {
    return contexts.stream()
        .filter(context -> !facts(context).isBookkeeping())
        .findFirst()
        .orElseGet(() -> contexts.iterator().next());
  }

  private int branches(Set<ContextId> contexts) {
    long shown = contexts.stream().filter(context -> !facts(context).isBookkeeping()).count();
    return (int) Math.max(1, shown);
  }

  private ContextFacts facts(ContextId context) {
    ContextFacts known = facts.get(context);
    if (known == null) {
      known = read(context);
      facts.put(context, known);
    }
    return known;
  }

  private ContextFacts read(ContextId context) {
    try {
      return ContextFacts.of(store.head(context).about(), store);
    } catch (StoreException.NotFound e) {
      return ContextFacts.NONE; // turns of an import whose context was not brought along
    }
  }
}
