// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.events.Session;
import dev.varve.server.query.Cql;
import dev.varve.server.query.CqlError;
import dev.varve.server.query.Query;
import dev.varve.server.query.TextField;
import dev.varve.server.value.IdFormat;
import dev.varve.server.value.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The answers about contexts: lists, search, where they come from.
///
/// Contexts that hold a program's notes and no conversation are left out of lists, of search and of
/// children, and can be asked for by their numbers.
public final class ContextViews {

  /// The most contexts that a search shows; it counts all.
  static final int SHOWN_MAX = 100_000;

  private final Store store;
  private final ContextIndex index;
  private final LiveSessions sessions;
  private final InstantSource clock;
  private final Times times;

  /// What a list is to show.
  ///
  /// @param limit at most so many
  /// @param after only those behind this one; null for the first page
  /// @param tag only those with exactly this client tag; null for all
  public record ListRequest(
      int limit,
      @Nullable ContextId after,
      @Nullable String tag,
      boolean includeProvenance,
      boolean includeLineage,
      IdFormat ids) {}

  /// What became of a search.
  public sealed interface SearchResult {

    /// The body of a 200.
    record Found(Json.Answer answer) implements SearchResult {}

    /// The body of a 400.
    record Refused(Json.Answer answer) implements SearchResult {}
  }

  /// How long looking at all contexts may go on, where the request says nothing.
  ///
  /// @param search for a list that is filtered
  /// @param children for those who come from a context
  /// @param lineage for the same beside other things
  record Times(Duration search, Duration children, Duration lineage) {
    static final Times DEFAULTS =
        new Times(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofMillis(250));
  }

  public ContextViews(Store store, ContextIndex index, LiveSessions sessions, InstantSource clock) {
    this(store, index, sessions, clock, Times.DEFAULTS);
  }

  ContextViews(
      Store store, ContextIndex index, LiveSessions sessions, InstantSource clock, Times times) {
    this.times = times;
    this.store = store;
    this.index = index;
    this.sessions = sessions;
    this.clock = clock;
  }

  // ---- one context

  /// A context with all that is known of it, lineage included.
  ///
  /// @throws StoreException.NotFound if it was never created
  public Json.Answer context(ContextId id, IdFormat ids) {
    ContextHead head = store.head(id);
    EntryWriter writer =
        new EntryWriter(index, sessions, ids, true, index.lineage(times.lineage()));
    return json -> writer.write(head, json);
  }

  /// @throws StoreException.NotFound if the context was never created
  public Json.Answer provenance(ContextId id, IdFormat ids) {
    Provenance provenance = index.entry(store.head(id)).metadata().provenance();
    String peer = sessions.of(id).map(Session::peerAddress).orElse(null);
    return json -> {
      json.writeStartObject();
      ids.property(json, "context_id", id);
      json.writeName("provenance");
      if (provenance == null) {
        json.writeNull();
      } else {
        provenance.withClientAddress(peer).write(json);
      }
      json.writeEndObject();
    };
  }

  // ---- lists

  /// The contexts that were active last, with the sessions that are open.
  public Json.Answer list(ListRequest request) {
    checkLimit(request.limit());
    List<ContextHead> found = new ArrayList<>();
    Deadline deadline = Deadline.in(times.search());
    Stop stop = new Stop();
    if (request.limit() > 0) {
      Predicate<ContextHead> taking =
          head -> {
            if (deadline.isOver()) {
              return stop.here();
            }
            stop.last = head.id();
            ContextFacts facts = new ContextFacts(head, index, sessions);
            if (!facts.entry().isBookkeeping()
                && (request.tag() == null || request.tag().equals(facts.text(TextField.TAG)))) {
              found.add(head);
            }
            return found.size() < request.limit();
          };
      if (request.after() == null) {
        index.walk(taking);
      } else {
        index.walkFrom(request.after(), taking);
      }
    }
    if (stop.stopped) {
      index.fill();
    }
    EntryWriter writer =
        new EntryWriter(
            index,
            sessions,
            request.ids(),
            request.includeProvenance(),
            request.includeLineage() ? index.lineage(times.lineage()) : null);
    List<LiveSessions.Active> active = sessions.active();
    return json -> {
      json.writeStartObject();
      json.writeArrayPropertyStart("contexts");
      found.forEach(head -> writer.write(head, json));
      json.writeEndArray();
      json.writeNumberProperty("count", found.size());
      if (stop.stopped) {
        json.writeBooleanProperty("incomplete", true);
        request.ids().property(json, "next_after", Objects.requireNonNull(stop.last));
      }
      json.writeArrayPropertyStart("active_sessions");
      active.forEach(session -> write(session, request.ids(), json));
      json.writeEndArray();
      json.writeArrayPropertyStart("active_tags");
      Set<String> tags = new TreeSet<>();
      active.forEach(session -> tags.add(session.session().clientTag()));
      tags.stream().filter(tag -> !tag.isEmpty()).forEach(json::writeString);
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  private static void write(LiveSessions.Active active, IdFormat ids, JsonGenerator json) {
    Session session = active.session();
    json.writeStartObject();
    ids.property(json, "session_id", session.id());
    json.writeStringProperty("client_tag", session.clientTag());
    json.writeStringProperty("peer_addr", session.peerAddress());
    json.writeNumberProperty("connected_at", session.connectedAt().toEpochMilli());
    json.writeNumberProperty("last_activity_at", session.lastActivityAt().toEpochMilli());
    json.writeNumberProperty("context_count", active.contextCount());
    json.writeEndObject();
  }

  private static void checkLimit(int limit) {
    if (limit < 0) {
      throw new StoreException.Invalid("limit", "expected 0 or more, found " + limit);
    }
  }

  // ---- search

  /// What is searched, and how far.
  ///
  /// @param text the query; null or blank is refused
  /// @param limit how many are shown; all are counted. Null for [#SHOWN_MAX]
  /// @param before only contexts with smaller numbers: where an earlier search stopped; null for
  ///   all
  /// @param time after which it stops, and says where
  public record SearchRequest(
      @Nullable String text,
      @Nullable Integer limit,
      @Nullable ContextId before,
      Duration time,
      IdFormat ids) {}

  /// The contexts for which a query holds, those with the greatest numbers first. Looks at all
  /// contexts, as far as there is time for it; what was not looked at is read in the background, so
  /// that asking again costs less.
  public SearchResult search(SearchRequest request) {
    String text = request.text();
    Integer limit = request.limit();
    if (text == null || text.isEmpty()) {
      return new SearchResult.Refused(
          json -> {
            json.writeStartObject();
            json.writeStringProperty("error", "Missing required 'q' parameter");
            json.writeEndObject();
          });
    }
    checkLimit(limit == null ? 0 : limit);
    return switch (Cql.read(text, clock)) {
      case Cql.Reading.Refused(CqlError error) ->
          new SearchResult.Refused(json -> write(error, json));
      case Cql.Reading.Understood(Query query) ->
          new SearchResult.Found(
              found(request, query, Math.min(SHOWN_MAX, limit == null ? SHOWN_MAX : limit)));
    };
  }

  private static void write(CqlError error, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("error", error.message());
    json.writeStringProperty("error_type", error.kind().written());
    json.writeStringProperty("field", error.field());
    json.writeObjectPropertyStart("position");
    json.writeNumberProperty("line", error.position().line());
    json.writeNumberProperty("column", error.position().column());
    json.writeNumberProperty("offset", error.position().offset());
    json.writeEndObject();
    json.writeEndObject();
  }

  /// Where looking at contexts stopped.
  private static final class Stop {
    private boolean stopped;
    private @Nullable ContextId last;

    boolean here() {
      stopped = true;
      return false;
    }
  }

  private Json.Answer found(SearchRequest request, Query query, int limit) {
    long start = clock.millis();
    List<ContextHead> shown = new ArrayList<>();
    long[] count = new long[1];
    Deadline deadline = Deadline.in(request.time());
    Stop stop = new Stop();
    index.walkByNumber(
        request.before(),
        head -> {
          if (deadline.isOver()) {
            return stop.here();
          }
          stop.last = head.id();
          ContextFacts facts = new ContextFacts(head, index, sessions);
          if (query.matches(facts) && !facts.entry().isBookkeeping()) {
            count[0]++;
            if (shown.size() < limit) {
              shown.add(head);
            }
          }
          return true;
        });
    if (stop.stopped) {
      index.fill();
    }
    long elapsedMs = Math.max(0, Duration.ofMillis(clock.millis() - start).toMillis());
    EntryWriter writer = new EntryWriter(index, sessions, request.ids(), false, null);
    return json -> {
      json.writeStartObject();
      json.writeArrayPropertyStart("contexts");
      shown.forEach(head -> writer.write(head, json));
      json.writeEndArray();
      json.writeNumberProperty("total_count", count[0]);
      json.writeNumberProperty("elapsed_ms", elapsedMs);
      json.writeStringProperty("query", request.text());
      json.writeBooleanProperty("incomplete", stop.stopped);
      if (stop.stopped) {
        request.ids().property(json, "next_before_context_id", Objects.requireNonNull(stop.last));
      }
      json.writeEndObject();
    };
  }

  // ---- children

  /// The contexts that come from one: forked from it, or saying so themselves.
  ///
  /// @param recursive whether theirs are listed too, nearest first
  /// @throws StoreException.NotFound if the context was never created
  public Json.Answer children(ContextId id, boolean recursive, int limit, IdFormat ids) {
    checkLimit(limit);
    store.head(id);
    Lineage all = index.lineage(times.children());
    List<ContextId> found = new ArrayList<>();
    boolean isComplete = true;
    Set<Long> seen = new HashSet<>(Set.of(id.value())); // what contexts say may go in circles
    Deque<Long> waiting = new ArrayDeque<>(List.of(id.value()));
    while (!waiting.isEmpty()) {
      Lineage.Children children = all.of(waiting.remove(), Integer.MAX_VALUE);
      isComplete &= children.isComplete();
      for (long child : children.ids()) {
        if (seen.add(child)) {
          found.add(new ContextId(child));
          if (recursive) {
            waiting.add(child);
          }
        }
      }
    }
    boolean incomplete = !isComplete;
    EntryWriter writer = new EntryWriter(index, sessions, ids, false, all);
    return json -> {
      json.writeStartObject();
      ids.property(json, "context_id", id);
      json.writeArrayPropertyStart("children");
      found.stream().limit(limit).forEach(child -> writer.write(store.head(child), json));
      json.writeEndArray();
      json.writeNumberProperty("count", Math.min(limit, found.size()));
      json.writeNumberProperty("total_count", found.size());
      json.writeBooleanProperty("incomplete", incomplete);
      json.writeEndObject();
    };
  }
}
