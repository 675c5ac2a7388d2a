// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.local.LocalStore;
import dev.varve.server.events.ClientSession;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.value.IdFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextViewsTest {

  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  @TempDir Path folder;
  private LocalStore store;
  private ContextIndex index;
  private LiveSessions sessions;
  private ContextViews views;

  @BeforeEach
  void open() {
    store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
    index = new ContextIndex(store);
    sessions = new LiveSessions();
    views = new ContextViews(store, index, sessions, InstantSource.fixed(NOW));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private ContextId context() {
    return store.createContext().id();
  }

  private String list(int limit, @Nullable String tag) {
    return views
        .list(new ContextViews.ListRequest(limit, null, tag, false, false, IdFormat.TEXT))
        .text()
        .replace('"', '\'');
  }

  private String search(String query) {
    return switch (views.search(asked(query, null))) {
      case ContextViews.SearchResult.Found(var answer) -> answer.text();
      case ContextViews.SearchResult.Refused(var answer) -> answer.text();
    };
  }

  private static ContextViews.ContextSearch asked(@Nullable String query, @Nullable Integer limit) {
    return new ContextViews.ContextSearch(
        query, limit, null, Duration.ofMinutes(5), IdFormat.NUMBER);
  }

  private List<Integer> found(String query) {
    return ids(search(query));
  }

  private static List<Integer> ids(String json) {
    Matcher ids = Pattern.compile("\\{\"context_id\":\"?(\\d+)").matcher(json);
    List<Integer> found = new ArrayList<>();
    while (ids.find()) {
      found.add(Integer.parseInt(ids.group(1)));
    }
    return found;
  }

  @Test
  void aContextIsListedWithWhatItSays() {
    ContextId one = context();
    Turn turn = Turns.append(store, one, Turns.DIGITS);
    ContextHead head = store.head(one);

    assertThat(list(20, null))
        .isEqualTo(
            "{'contexts':[{'context_id':'1','head_turn_id':'%s','head_depth':0,"
                    .formatted(turn.id())
                + "'created_at_unix_ms':%d,'context_created_at_unix_ms':%d,'is_live':false,"
                    .formatted(head.activeAt().toEpochMilli(), head.createdAt().toEpochMilli())
                + "'client_tag':'fixture-tag','title':'Fixture Title','last_turn_at_unix_ms':%d,"
                    .formatted(turn.createdAt().toEpochMilli())
                + "'labels':['alpha','beta']}],"
                + "'count':1,'active_sessions':[],'active_tags':[]}");
  }

  @Test
  void theTagIsLookedForBeforeTheLimitIsReached() {
    ContextId tagged = context();
    Turns.say(store, tagged, "{'client_tag':'rare'}");
    for (int i = 0; i < 400; i++) {
      context();
    }

    assertThat(list(1, "rare")).contains("'context_id':'" + tagged + "'");
    assertThat(list(0, null)).contains("'contexts':[]");
  }

  @Test
  void aListIsReadPageByPage() {
    for (int i = 0; i < 7; i++) {
      context();
    }
    List<Integer> read = new ArrayList<>();
    ContextId after = null;
    for (int page = 0; page < 4; page++) {
      String list =
          views
              .list(new ContextViews.ListRequest(2, after, null, false, false, IdFormat.NUMBER))
              .text();
      read.addAll(ids(list));
      after = new ContextId(read.getLast());
    }
    assertThat(read).containsExactly(7, 6, 5, 4, 3, 2, 1);
  }

  @Test
  void aForkSaysWhatItsFirstOwnTurnSaysElseWhatItWasForkedFromSays() {
    ContextId origin = context();
    Turns.say(store, origin, "{'title':'origin'}");
    TurnId last = Turns.say(store, origin).id();
    ContextId fork = store.fork(last).id();
    assertThat(found("title = 'origin'")).containsExactly(2, 1);

    Turns.say(store, fork);
    assertThat(found("title = 'origin'")).as("own, but says nothing").containsExactly(2, 1);

    ContextId second = store.fork(last).id();
    assertThat(found("title = 'origin'")).containsExactly(3, 2, 1);
    Turns.say(store, second, "{'title':'second'}");
    assertThat(found("title = 'origin'")).containsExactly(2, 1);
    assertThat(found("title = 'second'")).containsExactly(3);

    ContextId third = store.fork(Turns.say(store, second).id()).id();
    assertThat(found("title = 'second'")).as("the nearest says it").containsExactly(4, 3);
    assertThat(third.value()).isEqualTo(4);
  }

  @Test
  void aContextIsSearchedAsSoonAsItIsThereAndAlwaysAsItIsNow() {
    ContextId one = context();
    assertThat(found("depth = 0")).containsExactly(1);
    Turns.say(store, one);
    Turns.say(store, one);
    assertThat(found("depth = 1 AND NOT tag = 'x'")).containsExactly(1);
    assertThat(found("created > 0")).containsExactly(1);
    assertThat(found("is_live = false")).containsExactly(1);
  }

  @Test
  void aPatchOfTheFirstTurnIsSeen() {
    ContextId one = context();
    Turn first = Turns.say(store, one, "{'title':'old'}");
    assertThat(found("title = 'old'")).containsExactly(1);
    long seq = store.patch(first.id(), Payload.utf8("{\"context_metadata\":{\"title\":\"new\"}}"));
    index.on(new ServerEvent.TurnOverlaid(first.id(), seq, Overlay.Kind.PATCH));

    assertThat(found("title = 'new'")).containsExactly(1);
  }

  @Test
  void theTitleOfTheDescriptionCountsWhereTheContextItselfSaysNone() {
    store.createContext(TurnId.NONE, store.put(Payload.utf8("{\"title\":\"described\"}")));
    assertThat(found("title = 'described'")).containsExactly(1);
    store.describe(new ContextId(1), store.put(Payload.utf8("{\"title\":\"again\"}")));
    assertThat(found("title = 'again'")).containsExactly(1);
    Turns.say(store, new ContextId(1), "{'title':'itself'}");
    assertThat(found("title = 'itself'")).containsExactly(1);
  }

  @Test
  void aManifestIsNoConversation() {
    context();
    store.createContext(TurnId.NONE, store.put(Payload.utf8("{\"kind\":\"some.manifest\"}")));

    assertThat(ids(list(20, null).replace('\'', '"'))).containsExactly(1);
    assertThat(found("depth >= 0")).containsExactly(1);
  }

  @Test
  void searchAnswersInItsShape() {
    Turns.say(store, context(), "{'client_tag':'a','title':'t'}");
    context();

    assertThat(
            ((ContextViews.SearchResult.Found) views.search(asked("depth = 0", 1))).answer().text())
        .contains("\"context_id\":2")
        .doesNotContain("\"context_id\":1")
        .endsWith(
            "],\"total_count\":2,\"elapsed_ms\":0,\"query\":\"depth = 0\",\"incomplete\":false,"
                + "\"next_before_context_id\":2}");
    assertThat(search("tag : 'x'"))
        .isEqualTo(
            "{\"error\":\"Unexpected character ':'\",\"error_type\":\"SyntaxError\",\"field\":null,"
                + "\"position\":{\"line\":1,\"column\":5,\"offset\":4}}");
    assertThat(search("")).isEqualTo("{\"error\":\"Missing required 'q' parameter\"}");
    assertThat(views.search(asked(null, null)))
        .isInstanceOf(ContextViews.SearchResult.Refused.class);
  }

  @Test
  void aSessionMakesContextsLiveUntilItEnds() {
    ClientSession session = new ClientSession(54, "kilroy/1", "127.0.0.1:54321", NOW);
    sessions.on(new ServerEvent.ClientConnected(session));
    ContextHead made = store.createContext();
    sessions.on(new ServerEvent.ContextCreated(made, session));
    ContextId other = context();
    sessions.on(new ServerEvent.TurnAppended(Turns.say(store, other), session));

    assertThat(list(20, "kilroy/1"))
        .contains("'is_live':true,'client_tag':'kilroy/1','session_id':'54','last_activity_at':")
        .contains(
            "'active_sessions':[{'session_id':'54','client_tag':'kilroy/1',"
                + "'peer_addr':'127.0.0.1:54321','connected_at':%d,'last_activity_at':%d,"
                    .formatted(NOW.toEpochMilli(), NOW.toEpochMilli())
                + "'context_count':2}],'active_tags':['kilroy/1']");
    assertThat(found("is_live = true AND tag ^= 'kilroy/'")).containsExactly(2, 1);

    sessions.on(new ServerEvent.ClientDisconnected(session, List.of()));
    assertThat(found("is_live = true")).isEmpty();
    sessions.on(new ServerEvent.TurnAppended(Turns.say(store, other), session));
    assertThat(found("is_live = true")).as("a late word of a session that is over").isEmpty();
  }

  @Test
  void provenanceIsToldWithTheAddressOfTheClient() {
    ContextId one = context();
    Turns.say(store, one, "{'provenance':{'service_name':'s'}}");
    assertThat(views.provenance(one, IdFormat.TEXT).text())
        .startsWith("{\"context_id\":\"1\",\"provenance\":{\"parent_context_id\":null,")
        .contains("\"service_name\":\"s\"")
        .contains("\"client_address\":null");
    assertThat(views.provenance(context(), IdFormat.NUMBER).text())
        .isEqualTo("{\"context_id\":2,\"provenance\":null}");
    assertThatThrownBy(() -> views.provenance(new ContextId(99), IdFormat.TEXT))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void theFirstOwnTurnIsNews() {
    ContextId one = context();
    Turn first =
        Turns.say(store, one, "{'title':'t','labels':['l'],'provenance':{'parent_context_id':9}}");
    assertThat(index.news(first))
        .containsExactly(
            new ServerEvent.ContextMetadataUpdated(one, true, null, "t", List.of("l")),
            new ServerEvent.ContextLinked(one, new ContextId(9), null, null));
    assertThat(index.news(Turns.say(store, one, "{'title':'later'}"))).isEmpty();
    ContextId fork = store.fork(first.id()).id();
    assertThat(index.news(Turns.say(store, fork, "{'title':'fork'}"))).hasSize(1);
  }

  @Test
  void aSearchThatRunsOutOfTimeSaysWhereItStoppedAndGoesOnFromThere() {
    for (int i = 0; i < 300; i++) {
      Turns.say(store, context(), "{'client_tag':'%s'}".formatted(i % 2 == 0 ? "even" : "odd"));
    }
    List<Integer> all = new ArrayList<>();
    ContextId before = null;
    int parts = 0;
    do {
      String answer =
          ((ContextViews.SearchResult.Found)
                  views.search(
                      new ContextViews.ContextSearch(
                          "tag = 'even'", null, before, Duration.ZERO, IdFormat.TEXT)))
              .answer()
              .text();
      parts++;
      List<Integer> found = ids(answer);
      all.addAll(found);
      assertThat(answer).contains("\"total_count\":" + found.size());
      Matcher next =
          Pattern.compile("\"incomplete\":true,\"next_before_context_id\":\"(\\d+)\"")
              .matcher(answer);
      before = next.find() ? ContextId.parse(next.group(1)) : null;
      store.append( // becomes active meanwhile, which changes the order of lists and not this one
          new ContextId(1),
          NewTurn.of(Payload.utf8("x" + parts), new DeclaredType("x", 1), Encoding.RAW));
    } while (before != null);

    assertThat(parts).isEqualTo(5); // of 64 each
    assertThat(all)
        .hasSize(150)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo(Comparator.reverseOrder());
  }

  @Test
  void whatThereWasNoTimeForIsReadInTheBackground() {
    for (int i = 0; i < 300; i++) {
      Turns.say(store, context(), "{'client_tag':'even'}");
    }
    Duration none = Duration.ZERO;
    ContextViews hurried =
        new ContextViews(
            store,
            index,
            sessions,
            InstantSource.fixed(NOW),
            new ContextViews.TimeLimits(none, none, none, none));

    assertThat(
            hurried
                .list(new ContextViews.ListRequest(9, null, "none", false, false, IdFormat.TEXT))
                .text())
        .contains("\"incomplete\":true,\"next_after\":");
    while (index.rememberedCount() < 300) {
      Thread.onSpinWait();
    }
    index.close();
    index.fill(); // does nothing any more
    index.close();
  }

  @Test
  void theIndexStaysWithinItsBudgetAndStillKnowsEverything() {
    for (int i = 0; i < 300; i++) {
      Turns.say(store, context(), "{'title':'title " + i + "','client_tag':'even'}");
    }
    ContextIndex small = new ContextIndex(store, 20_000);
    ContextViews tight = new ContextViews(store, small, sessions, InstantSource.fixed(NOW));
    for (int i = 0; i < 3; i++) {
      assertThat(
              ((ContextViews.SearchResult.Found) tight.search(asked("tag = 'even'", 1)))
                  .answer()
                  .text())
          .contains("\"total_count\":300");
      assertThat(small.rememberedCount()).isBetween(1, 100);
    }
    assertThat(
            tight
                .list(new ContextViews.ListRequest(300, null, null, false, false, IdFormat.TEXT))
                .text())
        .contains("title 0", "title 299");
    assertThat(small.rememberedCount()).isBetween(1, 100);
  }
}
