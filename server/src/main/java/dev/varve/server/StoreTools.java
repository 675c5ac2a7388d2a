// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.Store;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Principal;
import dev.varve.server.contexts.ContextEvents;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.events.EventHub;
import dev.varve.server.events.EventListener;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRequest.Client;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.StoreViews;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.server.logs.RequestLog;
import dev.varve.server.metrics.Metrics;
import dev.varve.server.routes.HttpApi;
import dev.varve.server.routes.McpMessages;
import dev.varve.server.search.LiveSearch;
import dev.varve.server.types.TypeBundleFiles;
import dev.varve.server.types.TypeRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// A store as tools for the agent that started this process: the Model Context Protocol without a
/// port. Whoever can start the process may read and write.
public final class StoreTools implements AutoCloseable {

  /// The longest message, in bytes.
  public static final int MESSAGE_BYTES_MAX = HttpLimits.DEFAULTS.sizes().jsonBytes();

  private static final Duration NO_WAIT = Duration.ZERO;

  private final StoreViews views;
  private final EventHub hub;
  private final McpMessages messages;
  private final Client client;

  private StoreTools(StoreViews views, EventHub hub, McpMessages messages, Client client) {
    this.views = views;
    this.hub = hub;
    this.messages = messages;
    this.client = client;
  }

  /// Tools for a store, which stays the caller's.
  ///
  /// @param storeFolder where the store is, with its types and its index of words
  /// @param version of this program, reported to the agent
  public static StoreTools of(Store store, Path storeFolder, String version, InstantSource clock) {
    EventHub hub = new EventHub("tools", 1, 0, 1);
    LiveSearch search = new LiveSearch(storeFolder, store);
    StoreViews views =
        StoreViews.of(
            store,
            TypeRegistry.open(TypeBundleFiles.of(storeFolder)),
            new ContextIndex(store),
            search,
            clock);
    EventListener events = new ContextEvents(views.sessions(), views.index(), hub);
    HttpService service =
        new HttpService(
            store,
            version,
            clock,
            Authenticator.OPEN,
            RequestLog.NONE,
            hub,
            events,
            views,
            new Metrics(store, version, clock));
    Principal principal = Authenticator.OPEN.authenticate(null).orElseThrow();
    return new StoreTools(
        views, hub, HttpApi.tools(HttpLimits.DEFAULTS, service), new Client(principal, "stdio"));
  }

  /// Answers one message.
  ///
  /// @param message JSON, at most [#MESSAGE_BYTES_MAX] bytes
  /// @return one line of JSON without its end; empty for a notification
  public Optional<byte[]> answer(byte[] message) throws IOException {
    try (MemoryBudget.Lease memory =
        new MemoryBudget(HttpLimits.DEFAULTS.bufferBytes(), NO_WAIT).lease()) {
      return messages.answer(
          message, new McpMessages.Sender(client, _ -> Optional.empty(), memory));
    }
  }

  /// The answer to bytes that are no message, as one line of JSON.
  public static byte[] unreadable(String problem) {
    return McpMessages.unreadableLine(problem);
  }

  /// The answer to a message that could not be worked on, as one line of JSON; empty if the message
  /// expects no answer.
  public static Optional<byte[]> failure(byte[] message, String problem) {
    return McpMessages.failure(message, problem);
  }

  /// Ends the work in the background.
  @Override
  public void close() {
    hub.close();
    views.index().close();
    LiveSearch search = views.search();
    if (search != null) {
      search.close();
    }
  }
}
