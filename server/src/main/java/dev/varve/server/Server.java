// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import dev.varve.local.LocalStore;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.TokenAuthenticator;
import dev.varve.server.binary.BinaryPort;
import dev.varve.server.binary.BinaryService;
import dev.varve.server.contexts.ContextEvents;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.events.EventHub;
import dev.varve.server.events.EventListener;
import dev.varve.server.files.FileRestores;
import dev.varve.server.http.HttpConfig;
import dev.varve.server.http.HttpPort;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.StoreViews;
import dev.varve.server.limits.OpenFileLimit;
import dev.varve.server.logs.ServiceLogs;
import dev.varve.server.metrics.ListenQueue;
import dev.varve.server.metrics.Metrics;
import dev.varve.server.routes.HttpApi;
import dev.varve.server.search.LiveSearch;
import dev.varve.server.search.SearchEvents;
import dev.varve.server.tls.ServerCertificate;
import dev.varve.server.types.TypeBundleFiles;
import dev.varve.server.types.TypeRegistry;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A store with its two ports. The server owns the store: closing the server closes the store last.
public final class Server implements AutoCloseable {

  /// The number of events that are kept for listeners that reconnect, and how far a listener may
  /// fall behind.
  private static final int EVENTS_KEPT = 4096;

  private static final int EVENTS_QUEUED = 1024;

  /// The time between two looks at the certificate files.
  private static final Duration TLS_PERIOD = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(Server.class.getPackageName());

  /// The open parts, the last one first.
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  private final ServerConfig config;
  private @Nullable HttpPort http;
  private @Nullable BinaryPort binary;

  private Server(ServerConfig config) {
    this.config = config;
  }

  /// The configuration with as many connections as the system lets this process open.
  private static ServerConfig bounded(ServerConfig config) {
    ServerConfig bounded = config.withConnections(OpenFileLimit.connections());
    if (!bounded.equals(config)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the limit of open files allows only {0} connections over HTTP and {1} over the"
              + " binary protocol",
          bounded.limits().http().connections(),
          bounded.limits().binary().connections());
    }
    return bounded;
  }

  /// Opens the ports for `store`; they answer when this method returns. If it fails, the store is
  /// closed.
  ///
  /// @param bundles where published types are kept
  /// @param version of this program, reported to clients
  /// @throws StoreException.Busy if a port is in use
  /// @throws StoreException.Io if the native code of the store cannot be loaded
  /// @throws StoreException.Invalid if other machines could reach a port without TLS or without a
  ///   token
  public static Server start(
      Store store,
      TypeBundleFiles bundles,
      ServerConfig config,
      String version,
      InstantSource clock) {
    Server server = new Server(bounded(config));
    server.open.push(store);
    try {
      server.openPorts(store, bundles, version, clock);
      return server;
    } catch (RuntimeException | Error e) {
      try {
        server.close();
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private void openPorts(
      Store store, TypeBundleFiles bundles, String version, InstantSource clock) {
    PortExposure.check(config);
    LocalStore.loadNativeCode(); // a failure must not wait for the first request
    Authenticator authenticator = authenticator(clock);
    ServerCertificate certificates =
        config.admission().tls() == null
            ? null
            : ServerCertificate.open(
                config.admission().tls().certificates(),
                config.admission().tls().key(),
                TLS_PERIOD);
    SSLContext tls = null;
    if (certificates != null) {
      open.push(certificates);
      tls = certificates.context();
    }
    ServiceLogs logs = ServiceLogs.open(config.logs(), clock);
    open.push(logs);
    HttpPort port;
    EventHub hub =
        new EventHub(
            Long.toString(clock.millis(), Character.MAX_RADIX),
            EVENTS_KEPT,
            config.limits().http().subscribers(),
            EVENTS_QUEUED);
    LiveSearch search = config.searched() == null ? null : new LiveSearch(config.searched(), store);
    ContextIndex index = index(store);
    StoreViews views =
        StoreViews.of(store, TypeRegistry.open(bundles), index, search, clock, restores());
    if (search != null) {
      open.push(search); // ends before the store does, for it reads in the background
      search.start();
    }
    open.push(views.index()); // reads in the background, so it ends before the store does
    open.push(views.surveys());
    EventListener next = search == null ? hub : new SearchEvents(search, hub);
    EventListener events = shared(store, new ContextEvents(views.sessions(), views.index(), next));
    Metrics metrics = metrics(store, version, clock, hub, views, logs);
    open.push(metrics.pauses());
    if (certificates != null) {
      metrics.gauge(
          "varve_tls_expiry_seconds",
          "Until when the certificate holds, Unix time.",
          () -> certificates.expiry().getEpochSecond());
      metrics.gauge(
          "varve_tls_failures",
          "How often certificates were found that do not hold.",
          certificates::failures);
    }
    HttpService service =
        new HttpService(store, version, clock, authenticator, logs, hub, events, views, metrics);
    port = HttpApi.open(httpConfig(tls), service);
    open.push(port);
    binary =
        BinaryPort.open(
            new BinaryService(
                store,
                authenticator,
                logs,
                events,
                metrics,
                report -> views.surveys().checked(report, clock.instant())),
            config.ports().binary(),
            config.limits().binary(),
            tls,
            config.ports().socket());
    open.push(binary);
    metrics.gauge(
        "varve_open_connections",
        "Open connections.",
        Map.of("binary", binary::connectionCount, "http", port::connectionCount));
    metrics.gauge(
        "varve_waiting_connections",
        "Connections that wait to be accepted.",
        Map.of(
            "binary", () -> ListenQueue.length(binaryAddress().getPort()),
            "http", () -> ListenQueue.length(port.port())));
    metrics.gauge(
        "varve_binary_buffer_free_bytes",
        "Memory for large requests and answers of the binary port that nobody has taken.",
        binary::bufferFreeBytes);
    if (config.retention() != null) {
      RetentionRounds rounds = new RetentionRounds(store, config.retention(), logs, events, clock);
      open.push(rounds);
      rounds.start();
    }
    index.start();
    open.push(hub); // closed before everything else, so that listeners do not hold the port open
    http = port;
  }

  /// The index of contexts. Rows of a store in a database are not kept: others write to it too.
  private ContextIndex index(Store store) {
    if (store instanceof LocalStore local && config.searched() != null) {
      Path folder = config.searched();
      return ContextIndex.keeping(
          local,
          folder.resolve(LocalStore.CONTEXT_ROWS),
          StoreAccess.of(folder, WaitingRules.NONE).root());
    }
    return store instanceof DatabaseStore ? new ContextIndex(store) : ContextIndex.following(store);
  }

  /// The listener for the events of this service, and the source of those of other services, if
  /// there are others.
  private EventListener shared(Store store, EventListener next) {
    if (!(store instanceof DatabaseStore database)) {
      return next;
    }
    SharedStoreWatch watch = new SharedStoreWatch(database, next);
    open.push(watch);
    watch.start();
    return watch;
  }

  /// A restore concerns the machine's own user, so only a service that no other machine reaches
  /// plans one.
  private FileRestores restores() {
    return PortExposure.isLocal(config.ports().http()) ? config.restores() : FileRestores.NONE;
  }

  private Authenticator authenticator(InstantSource clock) {
    if (config.admission().entry() != null) {
      return config.admission().entry();
    }
    return config.admission().tokens() == null
        ? Authenticator.OPEN
        : TokenAuthenticator.open(config.admission().tokens(), clock);
  }

  private static Metrics metrics(
      Store store,
      String version,
      InstantSource clock,
      EventHub hub,
      StoreViews views,
      ServiceLogs logs) {
    Metrics metrics = new Metrics(store, version, clock);
    metrics.gauge("varve_event_subscribers", "Listeners to the event stream.", hub::subscribers);
    metrics.gauge(
        "varve_sessions", "Clients of the binary port.", () -> views.sessions().active().size());
    metrics.gauge(
        "varve_types", "Types that are known.", () -> views.registry().catalogue().typeCount());
    if (store instanceof StorageFacts facts) {
      metrics.storage(facts);
    }
    logs.losses((name, lost) -> metrics.gauge(name, "Lines that could not be written.", lost));
    return metrics;
  }

  private HttpConfig httpConfig(@Nullable SSLContext tls) {
    Set<String> hosts = new HashSet<>();
    if (PortExposure.isLocal(config.ports().http()) || !config.sites().hosts().isEmpty()) {
      hosts.addAll(HttpConfig.LOOPBACK_HOSTS);
      hosts.addAll(config.sites().hosts());
    }
    PortExposure.checkFree(config.ports().http());
    return new HttpConfig(
        config.ports().http(), tls, hosts, config.sites().origins(), config.limits().http());
  }

  /// The address of the HTTP port.
  public InetSocketAddress httpAddress() {
    if (http == null) {
      throw new StoreException.Closed("server");
    }
    return new InetSocketAddress(config.ports().http().getAddress(), http.port());
  }

  /// The address of the binary port.
  public InetSocketAddress binaryAddress() {
    if (binary == null) {
      throw new StoreException.Closed("server");
    }
    return binary.address();
  }

  /// Finishes accepted requests, closes the ports, then the store. Idempotent.
  @Override
  public synchronized void close() {
    RuntimeException failed = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (RuntimeException e) {
        failed = e; // the other parts are closed all the same
      } catch (Exception e) {
        failed = new IllegalStateException(e);
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
