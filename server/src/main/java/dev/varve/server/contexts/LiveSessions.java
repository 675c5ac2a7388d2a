// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextId;
import dev.varve.server.events.ClientSession;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The connected clients, and the contexts to which they write.
///
/// A context is live while the session is open that created it, forked it or appended to it; it
/// belongs to the last such session. The list is lost when the process ends.
public final class LiveSessions implements EventListener {

  /// The number of contexts that are remembered for one session, the most recent ones. No known
  /// client writes to more at once.
  private static final int CONTEXTS_MAX = 10_000;

  // ---- all guarded by this
  private final Map<ClientSession, LinkedHashSet<ContextId>> sessions = new LinkedHashMap<>();
  private final Map<ContextId, ClientSession> holders = new HashMap<>();
  private long total;
  private Instant lastActivity = Instant.EPOCH;

  /// A session and the number of contexts that are live through it.
  public record Active(ClientSession session, int contextCount) {}

  @Override
  public void on(ServerEvent event) {
    switch (event) {
      case ServerEvent.ClientConnected(ClientSession session) -> connected(session);
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
          ServerEvent.BlobsErased _,
          ServerEvent.ErrorOccurred _ -> {}
    }
  }

  private synchronized void connected(ClientSession session) {
    if (sessions.putIfAbsent(session, new LinkedHashSet<>()) == null) {
      total++;
    }
  }

  private synchronized void disconnected(ClientSession session) {
    LinkedHashSet<ContextId> held = sessions.remove(session);
    if (session.lastActivityAt().isAfter(lastActivity)) {
      lastActivity = session.lastActivityAt();
    }
    if (held != null) {
      held.forEach(context -> holders.remove(context, session));
    }
  }

  /// Records the session of a context. A session that is not listed has ended already: its late
  /// events make nothing live.
  private synchronized void hold(ClientSession session, ContextId context) {
    LinkedHashSet<ContextId> held = sessions.get(session);
    if (held == null) {
      return;
    }
    ClientSession before = holders.put(context, session);
    if (before != null && !before.equals(session)) {
      sessions.getOrDefault(before, new LinkedHashSet<>()).remove(context);
    }
    held.add(context);
    if (held.size() > CONTEXTS_MAX) {
      holders.remove(held.removeFirst(), session);
    }
  }

  /// The session that last wrote to a context, if it is still open.
  public synchronized Optional<ClientSession> of(ContextId context) {
    return Optional.ofNullable(holders.get(context));
  }

  public synchronized boolean isLive(ContextId context) {
    return holders.containsKey(context);
  }

  /// The contexts that are live.
  synchronized Set<ContextId> liveContexts() {
    return Set.copyOf(holders.keySet());
  }

  /// The number of sessions since the start.
  public synchronized long total() {
    return total;
  }

  /// The last activity of all ended sessions; the epoch if there are none.
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
