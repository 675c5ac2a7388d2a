// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Durability;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.local.LocalStore;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.value.IdFormat;
import dev.varve.sim.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class ContextLineageTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-02T12:00:00Z"));
  private static final Duration LONG = Duration.ofMinutes(5);

  /// Counts what is asked of a store, and can make who goes through all contexts wait.
  private static final class Watched extends ForwardingStore {
    private final AtomicLong asked = new AtomicLong();
    private final CountDownLatch mayLook;

    Watched(LocalStore store, CountDownLatch mayLook) {
      super(store);
      this.mayLook = mayLook;
    }

    @Override
    public ContextHead head(ContextId context) {
      asked.incrementAndGet();
      return super.head(context);
    }

    @Override
    public Turn turn(TurnId id, View view) {
      asked.incrementAndGet();
      return super.turn(id, view);
    }

    @Override
    public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
      asked.addAndGet(limit);
      return super.contexts(after, limit);
    }

    @Override
    public List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
      asked.addAndGet(limit);
      try {
        mayLook.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return super.contextsBelow(before, limit);
    }
  }

  @TempDir Path folder;
  private final CountDownLatch mayLook = new CountDownLatch(1);
  private LocalStore local;
  private Watched store;
  private ContextIndex index;
  private ContextEvents news;
  private ContextViews views;
  private ContextViews hurried;

  @BeforeEach
  void open() {
    local =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
    store = new Watched(local, mayLook);
    index = new ContextIndex(store);
    LiveSessions sessions = new LiveSessions();
    news = new ContextEvents(sessions, index, _ -> {});
    views = views(sessions, LONG);
    hurried = views(sessions, Duration.ZERO);
  }

  private ContextViews views(LiveSessions sessions, Duration time) {
    return new ContextViews(
        store, index, sessions, CLOCK, new ContextViews.TimeLimits(time, time, time, time));
  }

  @AfterEach
  void close() {
    mayLook.countDown();
    index.close();
    local.close();
  }

  private ContextId context() {
    ContextHead made = local.createContext();
    news.on(new ServerEvent.ContextCreated(made, null));
    return made.id();
  }

  private ContextId fork(TurnId turn) {
    ContextHead made = local.fork(turn);
    news.on(new ServerEvent.ContextCreated(made, null));
    return made.id();
  }

  private Turn say(ContextId context, String metadata) {
    Turn turn = Turns.say(local, context, metadata);
    news.on(new ServerEvent.TurnAppended(turn, null));
    return turn;
  }

  private static List<Integer> ids(ContextViews views, ContextId of, boolean recursive) {
    return json(views.children(of, recursive, 256, IdFormat.NUMBER).text())
        .at("/children")
        .valueStream()
        .map(child -> child.at("/context_id").intValue())
        .toList();
  }

  private static JsonNode json(String text) {
    return new ObjectMapper().readTree(text);
  }

  private String lineage(ContextViews views, ContextId of) {
    return json(views.context(of, IdFormat.NUMBER).text()).at("/lineage").toString();
  }

  @Test
  void childrenAreForksAndThoseThatSaySo() {
    mayLook.countDown();
    ContextId root = context();
    TurnId turn = say(root, "{}").id();
    ContextId fork = fork(turn);
    ContextId said = context();
    say(said, "{'provenance':{'parent_context_id':1,'spawn_reason':'sub_agent'}}");
    ContextId grandchild = context();
    say(grandchild, "{'provenance':{'parent_context_id':2,'root_context_id':1}}");

    assertThat(ids(views, root, false)).containsExactly(2, 3);
    assertThat(ids(views, root, true)).containsExactly(2, 3, 4);
    assertThat(lineage(views, root))
        .isEqualTo(
            "{\"parent_context_id\":null,\"root_context_id\":1,\"spawn_reason\":null,"
                + "\"child_context_count\":2,\"child_context_ids\":[2,3]}");
    assertThat(lineage(views, fork))
        .contains("\"parent_context_id\":1", "\"spawn_reason\":\"fork\"");
    assertThat(lineage(views, said))
        .contains("\"parent_context_id\":1", "\"spawn_reason\":\"sub_agent\"");
  }

  @Test
  void childrenInACircleEnd() {
    mayLook.countDown();
    say(context(), "{'provenance':{'parent_context_id':2}}");
    say(context(), "{'provenance':{'parent_context_id':1}}");

    assertThat(ids(views, new ContextId(1), true)).containsExactly(2);
  }

  @Test
  void aParentThatIsNoContextHarmsNobody() {
    mayLook.countDown();
    ContextId one = context();
    say(one, "{'provenance':{'parent_context_id':9223372036854775807}}");
    say(context(), "{'provenance':{'parent_context_id':77}}");
    say(context(), "{'provenance':{'parent_context_id':3}}");

    assertThat(lineage(views, one)).contains("\"parent_context_id\":9223372036854775807");
    assertThat(ids(views, new ContextId(3), true)).as("itself").isEmpty();
  }

  @Test
  void whileContextsAreLookedAtAnAnswerComesAtOnceAndSaysSo() {
    ContextId root = context();
    TurnId turn = say(root, "{}").id();
    fork(turn);

    assertThat(lineage(hurried, root)).contains("\"children_incomplete\":true");
    assertThat(hurried.children(root, false, 1, IdFormat.TEXT).text())
        .contains("\"incomplete\":true");
    mayLook.countDown();
    assertThat(lineage(views, root)).contains("[2]").doesNotContain("incomplete");
  }

  @Test
  void afterOneLookAtAllAnAnswerCostsTheSameHoweverManyContextsThereAre() {
    mayLook.countDown();
    ContextId root = context();
    TurnId turn = say(root, "{}").id();
    for (int i = 0; i < 1_000; i++) {
      say(context(), "{'title':'%d'}".formatted(i));
    }
    ContextId fork = fork(turn);
    ids(views, root, true);

    long before = store.asked.get();
    assertThat(lineage(hurried, root)).contains("[" + fork + "]").doesNotContain("incomplete");
    assertThat(ids(hurried, root, true)).hasSize(1);
    assertThat(store.asked.get() - before).isLessThan(20);
  }

  @Test
  void whatHappensLaterIsKnownAtOnce() {
    mayLook.countDown();
    ContextId root = context();
    TurnId turn = say(root, "{}").id();
    assertThat(ids(views, root, true)).isEmpty();

    ContextId fork = fork(turn);
    assertThat(ids(hurried, root, true)).containsExactly(2);
    ContextId other = context();
    assertThat(ids(hurried, root, true)).containsExactly(2);
    say(other, "{'provenance':{'parent_context_id':1}}");
    assertThat(ids(hurried, root, true)).containsExactly(2, 3);
    say(fork, "{'provenance':{'parent_context_id':3}}");
    assertThat(ids(hurried, root, false)).containsExactly(3);
    assertThat(ids(hurried, root, true)).containsExactly(3, 2);
  }

  @Test
  void whatHappensWhileContextsAreLookedAtIsNotLost() {
    ContextId root = context();
    TurnId turn = say(root, "{}").id();
    ContextId silent = context();
    lineage(hurried, root); // begins, and waits
    fork(turn);
    say(silent, "{'provenance':{'parent_context_id':1}}");
    mayLook.countDown();

    assertThat(ids(views, root, true)).containsExactly(2, 3);
  }

  @Test
  void aPatchedFirstTurnMayChangeWhereItsContextComesFrom() {
    mayLook.countDown();
    context();
    ContextId child = context();
    Turn first = say(child, "{'provenance':{'parent_context_id':1}}");
    assertThat(ids(views, new ContextId(1), true)).containsExactly(2);

    Payload none = Payload.utf8("{}");
    long seq = local.attachFsRoot(first.id(), local.put(none));
    news.on(new ServerEvent.TurnOverlaid(first.id(), seq, Overlay.Kind.FS_ROOT));
    assertThat(ids(hurried, new ContextId(1), true)).as("a file tree").containsExactly(2);

    seq = local.patch(first.id(), none);
    news.on(new ServerEvent.TurnOverlaid(first.id(), seq, Overlay.Kind.PATCH));
    assertThat(ids(views, new ContextId(1), true)).isEmpty();
  }
}
