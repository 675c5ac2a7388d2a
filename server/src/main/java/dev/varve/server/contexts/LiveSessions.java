// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextId;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.events.Session;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Who is connected, and to which contexts they write.
///
/// A context is live while a session is open that made it, forked it or appended to it; it belongs
/// to the session that did so last. Nothing of this outlives the process.
public final class LiveSessions implements EventListener {

  /// How many contexts of one session are remembered, the last ones. A client that writes to more
  /// at once is none we know of.
  private static final int CONTEXTS_MAX = 10_000;

  // ---- all guarded by this
  private final Map<Session, LinkedHashSet<ContextId>> sessions = new LinkedHashMap<>();
  private final Map<ContextId, Session> holders = new HashMap<>();
  private long total;
  private Instant lastActivity = Instant.EPOCH;

  /// A session and how many contexts are live through it.
  public record Active(Session session, int contextCount) {}

  @Override
  public void on(ServerEvent event) {
    switch (event) {
      case ServerEvent.ClientConnected(Session session) -> connected(session);
      case ServerEvent.ClientDisconnected gone -> disconnected(gone.session());
      case ServerEvent.ContextCreated made when made.session() != null ->
          hold(made.session(), made.context().id());
      case ServerEvent.TurnAppended added when added.session() != null ->
          hold(added.session(), added.turn().context());
      case ServerEvent.ContextCreated _,
          ServerEvent.TurnAppended _,
          ServerEvent.ContextMetadataUpdated _,
          ServerEvent.ContextLinked _,
          ServerEvent.TurnOverlaid _,
          ServerEvent.ErrorOccurred _ -> {}
    }
  }

  private synchronized void connected(Session session) {
    if (sessions.putIfAbsent(session, new LinkedHashSet<>()) == null) {
      total++;
    }
  }

  private synchronized void disconnected(Session session) {
    LinkedHashSet<ContextId> held = sessions.remove(session);
    if (session.lastActivityAt().isAfter(lastActivity)) {
      lastActivity = session.lastActivityAt();
    }
    if (held != null) {
      held.forEach(context -> holders.remove(context, session));
    }
  }

  /// A session that was never told of is over already: what it does late makes nothing live.
  private synchronized void hold(Session session, ContextId context) {
    LinkedHashSet<ContextId> held = sessions.get(session);
    if (held == null) {
      return;
    }
    Session before = holders.put(context, session);
    if (before != null && !before.equals(session)) {
      sessions.getOrDefault(before, new LinkedHashSet<>()).remove(context);
    }
    held.add(context);
    if (held.size() > CONTEXTS_MAX) {
      holders.remove(held.removeFirst(), session);
    }
  }

  /// The session that last wrote to a context, if it is still open.
  public synchronized Optional<Session> of(ContextId context) {
    return Optional.ofNullable(holders.get(context));
  }

  public synchronized boolean isLive(ContextId context) {
    return holders.containsKey(context);
  }

  /// How many sessions there ever were.
  public synchronized long total() {
    return total;
  }

  /// When a session that is over was active last; the epoch if none was.
  public synchronized Instant lastActivity() {
    return lastActivity;
  }

  /// All open sessions, in the order in which they began.
  public synchronized List<Active> active() {
    return sessions.entrySet().stream()
        .map(entry -> new Active(entry.getKey(), entry.getValue().size()))
        .toList();
  }
}
