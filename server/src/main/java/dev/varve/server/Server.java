// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.local.LocalStore;
import dev.varve.server.access.Audit;
import dev.varve.server.access.AuditFile;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Tokens;
import dev.varve.server.binary.BinaryPort;
import dev.varve.server.binary.BinaryService;
import dev.varve.server.contexts.ContextNews;
import dev.varve.server.events.EventHub;
import dev.varve.server.events.EventListener;
import dev.varve.server.http.HttpApi;
import dev.varve.server.http.HttpConfig;
import dev.varve.server.http.HttpPort;
import dev.varve.server.http.Service;
import dev.varve.server.http.Views;
import dev.varve.server.metrics.Metrics;
import dev.varve.server.metrics.StorageFacts;
import dev.varve.server.tls.Certificates;
import dev.varve.server.types.BundleFiles;
import dev.varve.server.types.TypeRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A store that is served. It owns the store: closing the server closes it, last.
public final class Server implements AutoCloseable {

  /// How many events are kept for listeners that come back, how far one may be behind.
  private static final int EVENTS_KEPT = 4096;

  private static final int EVENTS_QUEUED = 1024;

  /// How often the files of certificates are looked at.
  private static final Duration TLS_PERIOD = Duration.ofSeconds(10);

  /// What is open, the last one first.
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  private final ServerConfig config;
  private @Nullable HttpPort http;
  private @Nullable BinaryPort binary;

  private Server(ServerConfig config) {
    this.config = config;
  }

  /// Opens the ports for `store`; they answer when it returns. The store is closed if that fails.
  ///
  /// @param bundles where published types are kept
  /// @param version of this program, as clients are told
  /// @throws StoreException.Busy if a port is in use
  /// @throws StoreException.Invalid if other machines could reach a port without TLS or without a
  ///   token
  public static Server start(
      Store store, BundleFiles bundles, ServerConfig config, String version, InstantSource clock) {
    Server server = new Server(config);
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

  private void openPorts(Store store, BundleFiles bundles, String version, InstantSource clock) {
    Exposure.check(config);
    Authenticator authenticator =
        config.tokens() == null ? Authenticator.OPEN : Tokens.open(config.tokens());
    Certificates certificates =
        config.certificates() == null || config.key() == null
            ? null
            : Certificates.open(config.certificates(), config.key(), TLS_PERIOD);
    SSLContext tls = null;
    if (certificates != null) {
      open.push(certificates);
      tls = certificates.context();
    }
    Audit audit = Audit.NONE;
    if (config.audit() != null) {
      AuditFile file = AuditFile.open(config.audit(), clock);
      open.push(file);
      audit = file;
    }
    HttpPort port;
    EventHub hub =
        new EventHub(
            Long.toString(clock.millis(), Character.MAX_RADIX),
            EVENTS_KEPT,
            config.httpLimits().subscribers(),
            EVENTS_QUEUED);
    Views views = Views.of(store, TypeRegistry.open(bundles), clock);
    open.push(views.index()); // reads in the background, so it ends before the store does
    EventListener events = new ContextNews(views.sessions(), views.index(), hub);
    Metrics metrics = metrics(store, version, clock, hub, views, audit);
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
    Service service =
        new Service(store, version, clock, authenticator, audit, hub, events, views, metrics);
    port = HttpApi.open(httpConfig(tls), service);
    open.push(port);
    binary =
        BinaryPort.open(
            new BinaryService(store, authenticator, audit, events, metrics),
            config.binary(),
            config.binaryLimits(),
            tls);
    open.push(binary);
    metrics.gauge(
        "varve_open_connections",
        "Open connections.",
        Map.of("binary", binary::connectionCount, "http", port::connectionCount));
    metrics.gauge(
        "varve_binary_buffer_free_bytes",
        "Memory for large requests and answers of the binary port that nobody has taken.",
        binary::bufferFreeBytes);
    open.push(hub); // first of all, so that listeners do not hold the port open
    http = port;
  }

  private static Metrics metrics(
      Store store, String version, InstantSource clock, EventHub hub, Views views, Audit audit) {
    Metrics metrics = new Metrics(store, version, clock);
    metrics.gauge("varve_event_subscribers", "Listeners to the event stream.", hub::subscribers);
    metrics.gauge(
        "varve_sessions", "Clients of the binary port.", () -> views.sessions().active().size());
    metrics.gauge(
        "varve_types", "Types that are known.", () -> views.registry().catalogue().typeCount());
    if (store instanceof LocalStore local) {
      metrics.storage(storage(local));
    }
    if (audit instanceof AuditFile file) {
      metrics.gauge("varve_audit_entries_lost", "Entries that could not be written.", file::lost);
    }
    return metrics;
  }

  private static StorageFacts storage(LocalStore store) {
    return new StorageFacts() {
      @Override
      public Map<String, Long> fileBytes() {
        return store.fileBytes();
      }

      @Override
      public long freeBytes() {
        return store.diskFreeBytes();
      }

      @Override
      public long totalBytes() {
        return store.diskTotalBytes();
      }
    };
  }

  private HttpConfig httpConfig(@Nullable SSLContext tls) {
    Set<String> hosts = new HashSet<>();
    if (Exposure.isLocal(config.http()) || !config.hosts().isEmpty()) {
      hosts.addAll(HttpConfig.LOOPBACK_HOSTS);
      hosts.addAll(config.hosts());
    }
    Exposure.checkFree(config.http());
    return new HttpConfig(config.http(), tls, hosts, config.origins(), config.httpLimits());
  }

  /// Where HTTP is answered.
  public InetSocketAddress httpAddress() {
    if (http == null) {
      throw new StoreException.Closed("server");
    }
    return new InetSocketAddress(config.http().getAddress(), http.port());
  }

  /// Where the binary protocol is answered.
  public InetSocketAddress binaryAddress() {
    if (binary == null) {
      throw new StoreException.Closed("server");
    }
    return binary.address();
  }

  /// Finishes what was accepted, closes the ports, then the store. Idempotent.
  @Override
  public synchronized void close() {
    RuntimeException failed = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (RuntimeException e) {
        failed = e; // the rest is closed all the same
      } catch (Exception e) {
        failed = new IllegalStateException(e);
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
