// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Durability;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.local.LocalStore;
import dev.varve.server.events.ClientSession;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.value.IdFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random changes of a store, after which random queries find by rows what a scan of the store
/// finds.
final class ContextRowsModelTest {

  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
  private static final int STEPS = 400;
  private static final List<String> WORDS =
      List.of("kilroy", "Kilroy/1", "KILROY/2", "résumé", "RÉSUMÉ", "Kelvin", "測試", "\\ud83d", "x");

  @TempDir Path folder;
  private Random random = new Random();
  private LocalStore store;
  private ContextIndex index;
  private LiveSessions sessions;
  private EventListener events;
  private ContextViews views;
  private final List<ClientSession> open = new ArrayList<>();
  private final List<Turn> turns = new ArrayList<>();
  private long contexts;

  private void begin(long seed, long budgetBytes) {
    random = new Random(seed);
    open();
    begin(ContextIndex.following(store, budgetBytes));
  }

  private void open() {
    store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
  }

  private void begin(ContextIndex begun) {
    index = begun;
    sessions = new LiveSessions();
    events = new ContextEvents(sessions, index, _ -> {});
    views = new ContextViews(store, index, sessions, InstantSource.fixed(NOW));
  }

  /// In the second row, the memory is enough for no row; in the third, for some.
  @ParameterizedTest
  @CsvSource({"1, 100000000", "2, 1000", "3, 400000", "4, 100000000", "5, 100000000"})
  void queriesFindWhatAScanFinds(long seed, long budgetBytes) {
    begin(seed, budgetBytes);
    try {
      for (int step = 0; step < STEPS; step++) {
        change();
        if (step % 5 == 0) {
          compare("seed %d, step %d".formatted(seed, step));
        }
      }
    } finally {
      index.close();
      store.close();
    }
  }

  /// Services begin and end, or are killed, and between them the store is changed by programs of
  /// which no service hears. Now and then the file of rows is that of an earlier time.
  @ParameterizedTest
  @CsvSource({"11, 100000000", "12, 400000", "13, 100000000", "14, 100000000"})
  void queriesFindWhatAScanFindsAfterStarts(long seed, long budgetBytes) throws IOException {
    random = new Random(seed);
    Path file = folder.resolve(LocalStore.CONTEXT_ROWS);
    List<byte[]> former = new ArrayList<>();
    int taken = 0;
    for (int start = 0; start < 40; start++) {
      open();
      boolean heard = start % 2 == 0;
      begin(
          heard
              ? ContextIndex.keeping(
                  store,
                  budgetBytes,
                  new RowsKeeper.Place(file, folder.resolve("varve.store")),
                  new RowsKeeper.Rhythm(1, Duration.ZERO))
              : new ContextIndex(store));
      index.start();
      index.awaitRows(Duration.ofMinutes(1));
      taken += heard && index.rows() != null && index.rows().greatest() > 0 ? 1 : 0;
      String where = "seed %d, start %d".formatted(seed, start);
      for (int step = 0; heard && step < 3; step++) {
        if (contexts > 0) {
          compare(where + ", step " + step);
        }
        for (int i = random.nextInt(6); i >= 0; i--) {
          change();
        }
      }
      for (int i = heard ? -1 : random.nextInt(6); i >= 0; i--) {
        change();
      }
      byte[] before = Files.exists(file) ? Files.readAllBytes(file) : null;
      open.clear();
      index.close();
      store.close();
      if (before != null && random.nextInt(3) == 0) {
        Files.write(file, before); // killed
      } else if (!former.isEmpty() && random.nextInt(4) == 0) {
        Files.write(file, former.get(random.nextInt(former.size())));
      }
      if (Files.exists(file)) {
        former.add(Files.readAllBytes(file));
      }
    }
    assertThat(taken).as("starts with a file of rows").isGreaterThan(8);
  }

  /// Asks the views and a scan of the store the same.
  private void compare(String when) {
    String query = query(2);
    ContextViews plain =
        new ContextViews(store, new ContextIndex(store), sessions, InstantSource.fixed(NOW));
    List<Long> expected = found(plain, query, null, Duration.ofMinutes(5));
    String where = when + ": " + query;
    assertThat(found(views, query, null, Duration.ofMinutes(5))).as(where).isEqualTo(expected);
    assertThat(found(views, query, 2, Duration.ofMinutes(5)))
        .as("in pages, " + where)
        .isEqualTo(expected);
    assertThat(found(views, query, null, Duration.ZERO))
        .as("in haste, " + where)
        .isEqualTo(expected);
    ContextIndex fresh = new ContextIndex(store);
    for (long id = 0; id <= contexts + 1; id++) {
      assertThat(index.isConversation(new ContextId(id)))
          .as("context %d is a conversation, %s", id, where)
          .isEqualTo(fresh.isConversation(new ContextId(id)));
    }
    String tag = word();
    ContextId after = random.nextBoolean() ? null : context();
    assertThat(tagged(views, tag, after, 5))
        .as("list of '%s' behind %s, %s", tag, after, when)
        .isEqualTo(tagged(plain, tag, after, 5));
  }

  // ---- changes

  private void change() {
    switch (contexts == 0 ? 0 : random.nextInt(13)) {
      case 0, 1, 2 -> create(TurnId.NONE);
      case 3 -> create(turns.isEmpty() ? TurnId.NONE : turn().id());
      case 4, 5, 6, 7 -> append();
      case 8 -> {
        ContextHead head = store.describe(context(), about());
        events.on(ServerEvent.ContextMetadataUpdated.unread(head.id()));
      }
      case 9 -> overlay();
      case 11 -> {
        if (!turns.isEmpty()) {
          ContextHead head = store.head(context());
          store.moveContext(head.id(), head.head(), turn().id(), NOW, head.about());
          events.on(ServerEvent.ContextMetadataUpdated.unread(head.id()));
        }
      }
      case 10 -> {
        ClientSession session = new ClientSession(random.nextInt(1000), word(), "127.0.0.1:1", NOW);
        open.add(session);
        events.on(new ServerEvent.ClientConnected(session));
      }
      default -> {
        if (!open.isEmpty()) {
          ClientSession gone = open.remove(random.nextInt(open.size()));
          events.on(new ServerEvent.ClientDisconnected(gone, List.of()));
        }
      }
    }
  }

  private void create(TurnId base) {
    ContextHead made = store.createContext(base, random.nextBoolean() ? null : about());
    contexts = made.id().value();
    events.on(new ServerEvent.ContextCreated(made, session()));
  }

  private void append() {
    Turn said =
        random.nextInt(3) == 0
            ? Turns.say(store, context())
            : Turns.say(store, context(), metadata());
    turns.add(said);
    events.on(new ServerEvent.TurnAppended(said, session()));
  }

  private void overlay() {
    if (turns.isEmpty()) {
      return;
    }
    TurnId target = turn().id();
    if (random.nextBoolean()) {
      long seq = store.tombstone(target);
      events.on(new ServerEvent.TurnOverlaid(target, seq, Overlay.Kind.TOMBSTONE));
    } else {
      Payload other = Payload.utf8(("{'context_metadata':" + metadata() + "}").replace('\'', '"'));
      long seq = store.patch(target, other);
      events.on(new ServerEvent.TurnOverlaid(target, seq, Overlay.Kind.PATCH));
    }
  }

  private @Nullable ClientSession session() {
    return open.isEmpty() || random.nextInt(3) > 0 ? null : open.get(random.nextInt(open.size()));
  }

  private ContextId context() {
    return new ContextId(1 + random.nextLong(contexts));
  }

  private Turn turn() {
    return turns.get(random.nextInt(turns.size()));
  }

  private String word() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private BlobHash about() {
    String kind = random.nextInt(5) == 0 ? "pi.manifest" : "pi";
    return store.put(Payload.utf8("{\"kind\":\"%s\",\"title\":\"%s\"}".formatted(kind, word())));
  }

  private String metadata() {
    String parent = random.nextInt(8) == 0 ? "18446744073709551615" : "" + random.nextInt(20);
    return "{'client_tag':'%s','title':'%s','labels':['%s','%s'],'provenance':{"
            .formatted(word(), random.nextBoolean() ? "" : word(), word(), word())
        + "'parent_context_id':%s,'root_context_id':%d,'on_behalf_of':'%s','host_name':'%s'}}"
            .formatted(parent, random.nextInt(5), word(), word());
  }

  // ---- queries

  private String query(int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      String one = query(depth - 1);
      return switch (random.nextInt(3)) {
        case 0 -> "(" + one + " AND " + query(depth - 1) + ")";
        case 1 -> "(" + one + " OR " + query(depth - 1) + ")";
        default -> "NOT (" + one + ")";
      };
    }
    String word = word();
    String start = word.substring(0, Math.min(3, word.length()));
    return switch (random.nextInt(8)) {
      case 0, 1 -> field() + sign() + "\"" + (random.nextBoolean() ? word : start) + "\"";
      case 2 -> field() + " IN (\"" + word + "\", \"" + word() + "\")";
      case 3 -> "label" + (random.nextBoolean() ? " = " : " != ") + "\"" + word + "\"";
      case 4 ->
          (random.nextBoolean() ? "parent" : "root")
              + (random.nextBoolean() ? " = " : " != ")
              + (random.nextInt(4) == 0 ? "18446744073709551615" : "" + random.nextInt(20));
      case 5 -> "depth " + (random.nextBoolean() ? ">= " : "< ") + random.nextInt(4);
      case 6 -> "is_live = " + random.nextBoolean();
      default -> "id IN (1, 2, 3, " + (1 + random.nextLong(contexts)) + ")";
    };
  }

  private String field() {
    return List.of("tag", "title", "user", "host").get(random.nextInt(4));
  }

  private String sign() {
    return List.of(" = ", " != ", " ^= ", " ~= ", " ^~= ").get(random.nextInt(5));
  }

  private static List<Long> tagged(
      ContextViews views, String tag, @Nullable ContextId after, int limit) {
    return ids(
        views
            .list(new ContextViews.ListRequest(limit, after, tag, false, false, IdFormat.TEXT))
            .text());
  }

  private static List<Long> ids(String answer) {
    List<Long> found = new ArrayList<>();
    Matcher ids = Pattern.compile("\\{\"context_id\":\"(\\d+)").matcher(answer);
    while (ids.find()) {
      found.add(Long.parseLong(ids.group(1)));
    }
    return found;
  }

  /// All contexts that a query finds, in pages if they are limited or the time is.
  private static List<Long> found(
      ContextViews views, String query, @Nullable Integer limit, Duration time) {
    List<Long> found = new ArrayList<>();
    ContextId before = null;
    do {
      String answer =
          switch (views.search(
              new ContextViews.ContextSearch(query, limit, before, time, IdFormat.TEXT))) {
            case ContextViews.SearchResult.Found(var text) -> text.text();
            case ContextViews.SearchResult.Refused(var text) ->
                throw new AssertionError(text.text());
          };
      found.addAll(ids(answer));
      Matcher next = Pattern.compile("\"next_before_context_id\":\"(\\d+)\"").matcher(answer);
      before = next.find() ? ContextId.parse(next.group(1)) : null;
    } while (before != null);
    return found;
  }
}
