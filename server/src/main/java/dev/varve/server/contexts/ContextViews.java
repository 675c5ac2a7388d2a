// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.events.ClientSession;
import dev.varve.server.query.CqlError;
import dev.varve.server.query.CqlQuery;
import dev.varve.server.query.CqlReader;
import dev.varve.server.query.TextField;
import dev.varve.server.value.IdFormat;
import dev.varve.server.value.JsonOutput;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The answers about contexts: lists, search, provenance and children.
///
/// Contexts that hold a program's notes and no conversation are left out of lists, of search and of
/// children, and can be requested by their numbers.
public final class ContextViews {

  /// The most contexts that a search shows; it counts all.
  static final int SHOWN_MAX = 100_000;

  /// The most contexts of a tag that are put in order for a list.
  private static final int TAGGED_MAX = 20_000;

  /// A list tries for this part of its time to find contexts by rows.
  private static final int TAGGED_SHARE = 20;

  /// The order of lists.
  private static final Comparator<ContextHead> BY_ACTIVITY =
      Comparator.comparing(ContextHead::activeAt).thenComparing(ContextHead::id).reversed();

  private final Store store;
  private final ContextIndex index;
  private final LiveSessions sessions;
  private final InstantSource clock;
  private final TimeLimits times;

  /// A request for a list.
  ///
  /// @param limit the most contexts in the list
  /// @param after only contexts after this one; null for the first page
  /// @param tag only contexts with exactly this client tag; null for all
  public record ListRequest(
      int limit,
      @Nullable ContextId after,
      @Nullable String tag,
      boolean includeProvenance,
      boolean includeLineage,
      IdFormat ids) {}

  /// The result of a search.
  public sealed interface SearchResult {

    /// The body of a 200.
    record Found(JsonOutput answer) implements SearchResult {}

    /// The body of a 400.
    record Refused(JsonOutput answer) implements SearchResult {}
  }

  /// The time that a pass over all contexts may take if the request sets no limit.
  ///
  /// @param search for a filtered list
  /// @param children for the children of a context
  /// @param lineage for the children as a part of another answer
  /// @param sizes for the sizes of contexts
  record TimeLimits(Duration search, Duration children, Duration lineage, Duration sizes) {
    static final TimeLimits DEFAULTS =
        new TimeLimits(
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofMillis(250),
            Duration.ofMillis(250));
  }

  public ContextViews(Store store, ContextIndex index, LiveSessions sessions, InstantSource clock) {
    this(store, index, sessions, clock, TimeLimits.DEFAULTS);
  }

  ContextViews(
      Store store,
      ContextIndex index,
      LiveSessions sessions,
      InstantSource clock,
      TimeLimits times) {
    this.times = times;
    this.store = store;
    this.index = index;
    this.sessions = sessions;
    this.clock = clock;
  }

  // ---- one context

  /// A context with everything that is known about it, including lineage.
  ///
  /// @throws StoreException.NotFound if the context was never created
  public JsonOutput context(ContextId id, IdFormat ids) {
    ContextHead head = store.head(id);
    EntryWriter writer =
        new EntryWriter(index, sessions, ids, true, index.lineage(times.lineage()));
    return json -> writer.write(head, json);
  }

  /// The provenance of a context.
  ///
  /// @throws StoreException.NotFound if the context was never created
  public JsonOutput provenance(ContextId id, IdFormat ids) {
    Provenance provenance = index.entry(store.head(id)).metadata().provenance();
    String peer = sessions.of(id).map(ClientSession::peerAddress).orElse(null);
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

  /// The sizes of contexts, as far as there is time: `incomplete` if some take longer. Whoever asks
  /// for these again gets on.
  ///
  /// @throws StoreException.NotFound if one of the contexts was never created
  public JsonOutput sizes(List<ContextId> contexts, IdFormat ids) {
    Deadline deadline = Deadline.in(times.sizes());
    Map<ContextId, Long> found = new LinkedHashMap<>();
    for (ContextId context : contexts) {
      if (deadline.wasOver()) {
        break;
      }
      index.sizes().of(store.head(context), deadline).ifPresent(bytes -> found.put(context, bytes));
    }
    return json -> {
      json.writeStartObject();
      json.writeArrayPropertyStart("sizes");
      found.forEach(
          (context, bytes) -> {
            json.writeStartObject();
            ids.property(json, "context_id", context);
            json.writeNumberProperty("payload_bytes", bytes);
            json.writeEndObject();
          });
      json.writeEndArray();
      json.writeBooleanProperty("incomplete", deadline.wasOver());
      json.writeEndObject();
    };
  }

  // ---- lists

  /// The most recently active contexts, and the open sessions.
  public JsonOutput list(ListRequest request) {
    checkLimit(request.limit());
    StopPlace stop = new StopPlace();
    List<ContextHead> found =
        tagged(request).orElseGet(() -> request.limit() == 0 ? List.of() : walked(request, stop));
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

  private List<ContextHead> walked(ListRequest request, StopPlace stop) {
    List<ContextHead> found = new ArrayList<>();
    Deadline deadline = Deadline.in(times.search());
    Predicate<ContextHead> taking =
        head -> {
          if (deadline.isOver()) {
            return stop.here();
          }
          stop.last = head.id();
          IndexedContext facts = new IndexedContext(head, index, sessions);
          if (!facts.entry().isBookkeeping()
              && (request.tag() == null || request.tag().equals(facts.text(TextField.TAG)))) {
            found.add(head);
          }
          return found.size() < request.limit();
        };
    if (request.after() == null) {
      index.walk().byActivity(taking);
    } else {
      index.walk().byActivityAfter(request.after(), taking);
    }
    return found;
  }

  /// The list of contexts with a tag, by rows and not by a walk over all contexts; empty if there
  /// are no rows, if too many contexts have the tag, or if the rows would have to be read first.
  private Optional<List<ContextHead>> tagged(ListRequest request) {
    String tag = request.tag();
    ContextRows rows = index.rows();
    if (tag == null || rows == null || rows.isFull()) {
      return Optional.empty();
    }
    ContextHead after = request.after() == null ? null : store.head(request.after());
    CqlQuery query = new CqlQuery.Text(TextField.TAG, CqlQuery.TextComparison.EQUAL, List.of(tag));
    Deadline deadline = Deadline.in(times.search().dividedBy(TAGGED_SHARE));
    MatchFinder.Matches matches =
        new MatchFinder(store, index, sessions, query, deadline, TAGGED_MAX).find(null);
    if (matches.stoppedAt() != null) {
      index.fill();
    }
    if (matches.next() != null) {
      return Optional.empty();
    }
    return Optional.of(
        matches.shown().stream()
            .filter(head -> after == null || BY_ACTIVITY.compare(head, after) > 0)
            .sorted(BY_ACTIVITY)
            .limit(request.limit())
            .toList());
  }

  private static void write(LiveSessions.Active active, IdFormat ids, JsonGenerator json) {
    ClientSession session = active.session();
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

  /// A search request.
  ///
  /// @param text the query; null or blank is refused
  /// @param limit the most contexts that are shown; all are counted. Null for [#SHOWN_MAX]
  /// @param before only contexts with smaller numbers: the place where an earlier search stopped;
  ///   null for all
  /// @param time after which the search stops and reports its place
  public record ContextSearch(
      @Nullable String text,
      @Nullable Integer limit,
      @Nullable ContextId before,
      Duration time,
      IdFormat ids) {}

  /// The contexts that a query matches, those with the greatest numbers first. Reads all contexts
  /// as far as the time allows; the others are read in the background, so that the next search is
  /// faster.
  public SearchResult search(ContextSearch request) {
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
    return switch (CqlReader.read(text, clock)) {
      case CqlReader.CqlResult.Refused(CqlError error) ->
          new SearchResult.Refused(json -> write(error, json));
      case CqlReader.CqlResult.Parsed(CqlQuery query) ->
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

  /// The place where a pass over contexts stopped.
  private static final class StopPlace {
    private boolean stopped;
    private @Nullable ContextId last;

    boolean here() {
      stopped = true;
      return false;
    }
  }

  private JsonOutput found(ContextSearch request, CqlQuery query, int limit) {
    long start = clock.millis();
    Deadline deadline = Deadline.in(request.time());
    MatchFinder.Matches matches =
        new MatchFinder(store, index, sessions, query, deadline, limit).find(request.before());
    boolean incomplete = matches.stoppedAt() != null;
    if (incomplete) {
      index.fill();
    }
    ContextId next = matches.next();
    long elapsedMs = Math.max(0, Duration.ofMillis(clock.millis() - start).toMillis());
    EntryWriter writer = new EntryWriter(index, sessions, request.ids(), false, null);
    return json -> {
      json.writeStartObject();
      json.writeArrayPropertyStart("contexts");
      matches.shown().forEach(head -> writer.write(head, json));
      json.writeEndArray();
      json.writeNumberProperty("total_count", matches.count());
      json.writeNumberProperty("elapsed_ms", elapsedMs);
      json.writeStringProperty("query", request.text());
      json.writeBooleanProperty("incomplete", incomplete);
      if (next != null) {
        request.ids().property(json, "next_before_context_id", next);
      }
      json.writeEndObject();
    };
  }

  // ---- children

  /// The children of a context: its forks, and contexts that declare it as their parent.
  ///
  /// @param recursive whether the children's own children are listed too, the nearest first
  /// @throws StoreException.NotFound if the context was never created
  public JsonOutput children(ContextId id, boolean recursive, int limit, IdFormat ids) {
    checkLimit(limit);
    store.head(id);
    ContextLineage all = index.lineage(times.children());
    List<ContextId> found = new ArrayList<>();
    boolean isComplete = true;
    Set<Long> seen = new HashSet<>(Set.of(id.value())); // declared parents may form a circle
    Deque<Long> waiting = new ArrayDeque<>(List.of(id.value()));
    while (!waiting.isEmpty()) {
      ContextLineage.Children children = all.of(waiting.remove(), Integer.MAX_VALUE);
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
