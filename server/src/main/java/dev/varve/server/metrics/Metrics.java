// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.WriteMeter;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The counters and times of requests on both ports. Safe for any number of threads; no thread
/// waits for another.
public final class Metrics implements RequestMeter {

  private static final double NANOS = 1e9;

  /// The bounds of all histograms of times.
  private static final double[] SECONDS = {
    .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5
  };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter requests;
  private final Histogram seconds;
  private final Counter received;
  private final Counter sent;
  private final Counter connections;
  private final Counter turnedAway;
  private final RecentActivity recent;
  private final Instant start;
  private volatile @Nullable StorageFacts storage;

  /// @param store whose counts are shown
  /// @param clock for rates over the last minutes
  public Metrics(Store store, String version, InstantSource clock) {
    this.start = clock.instant();
    this.recent = new RecentActivity(clock);
    this.requests =
        Counter.builder()
            .name("varve_requests_total")
            .help("Requests that were answered, by port, operation and status.")
            .labelNames("port", "operation", "status")
            .register(registry);
    this.seconds =
        times(
            "varve_request_seconds",
            "From the request to its answer, the sending left out.",
            "port",
            "operation");
    this.received =
        counter(
            "varve_received_bytes_total",
            "Bytes of requests, as far as they were read.",
            "operation");
    this.sent = counter("varve_sent_bytes_total", "Bytes of answers.", "operation");
    this.connections = counter("varve_connections_total", "Connections that were made.");
    this.turnedAway =
        counter("varve_connections_ended_total", "Connections that this end ended.", "why");
    for (String port : List.of("binary", "http")) {
      for (EndReason why : EndReason.values()) {
        turnedAway.initLabelValues(
            port,
            why.name().toLowerCase(Locale.ROOT)); // a reason that has not occurred counts as 0
      }
    }
    gauge(
        "varve_start_time_seconds",
        "When the service started, Unix time.",
        () -> start.getEpochSecond());
    GaugeWithCallback.builder()
        .name("varve_build_info")
        .help("Always 1; the version is a label.")
        .labelNames("version")
        .callback(callback -> callback.call(1, version))
        .register(registry);
    GaugeWithCallback.builder()
        .name("varve_store")
        .help("How much the store holds: contexts, turns, blobs, overlays, types.")
        .labelNames("kind")
        .callback(callback -> storeCounts(store.counts(), callback))
        .register(registry);
    GaugeWithCallback.builder()
        .name("varve_store_bytes")
        .help("raw: the blobs uncompressed; stored: their records; disk: all files.")
        .labelNames("kind")
        .callback(
            callback -> {
              StoreCounts counts = store.counts();
              callback.call((double) counts.rawBytes(), "raw");
              callback.call((double) counts.storedBytes(), "stored");
              callback.call((double) counts.diskBytes(), "disk");
            })
        .register(registry);
    processGauges();
  }

  /// A counter with a label for the port.
  private Counter counter(String name, String help, String... more) {
    List<String> labels = new ArrayList<>(List.of("port"));
    labels.addAll(List.of(more));
    return Counter.builder()
        .name(name)
        .help(help)
        .labelNames(labels.toArray(String[]::new))
        .register(registry);
  }

  private static void storeCounts(StoreCounts counts, GaugeWithCallback.Callback callback) {
    callback.call((double) counts.contexts(), "contexts");
    callback.call((double) counts.turns(), "turns");
    callback.call((double) counts.blobs(), "blobs");
    callback.call((double) counts.overlays(), "overlays");
    callback.call((double) counts.types(), "types");
  }

  private void processGauges() {
    gauge(
        "varve_process_resident_bytes",
        "Memory of the process, as the system sees it.",
        ProcessFacts::residentBytes);
    gauge("varve_process_open_files", "Open files and connections.", ProcessFacts::openFiles);
    gauge("varve_heap_bytes", "Memory that objects take.", ProcessFacts::heapBytes);
    gauge(
        "varve_heap_max_bytes",
        "Memory that objects may take.",
        () -> Runtime.getRuntime().maxMemory());
  }

  /// Adds a gauge that is read at each scrape.
  public void gauge(String name, String help, LongSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(registry);
  }

  /// Adds a gauge for each port that is read at each scrape.
  public void gauge(String name, String help, Map<String, LongSupplier> byPort) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("port")
        .callback(
            callback ->
                byPort.forEach((port, value) -> callback.call((double) value.getAsLong(), port)))
        .register(registry);
  }

  private Histogram times(String name, String help, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(SECONDS)
        .register(registry);
  }

  /// Adds the pauses of the garbage collector, from now on.
  public PauseWatch pauses() {
    Histogram pauses =
        times(
            "varve_gc_pause_seconds",
            "How long all threads stood still for the garbage collector.",
            "collector");
    PauseWatch watch =
        PauseWatch.start((collector, seconds) -> pauses.labelValues(collector).observe(seconds));
    watch.collectors().forEach(pauses::initLabelValues); // a collector at rest has 0 pauses
    return watch;
  }

  /// Adds the times of the store's writes.
  private WriteMeter writes() {
    Counter changes =
        Counter.builder()
            .name("varve_committed_changes_total")
            .help("Changes of the store that were committed.")
            .register(registry);
    Histogram commits =
        times("varve_commit_seconds", "From the queue to the readers, for each group of changes.");
    Histogram forces = times("varve_force_seconds", "The time that the disk took to keep a group.");
    return new WriteMeter() {
      @Override
      public void committed(int count, long nanos) {
        changes.inc(count);
        commits.observe(nanos / NANOS);
      }

      @Override
      public void forced(long nanos) {
        forces.observe(nanos / NANOS);
      }
    };
  }

  /// Adds the facts about the store's disk and the times of its writes.
  public void storage(StorageFacts facts) {
    this.storage = facts;
    facts.measure(writes());
    gauge("varve_waiting_changes", "Changes that wait for their commit.", facts::waitingChanges);
    GaugeWithCallback.builder()
        .name("varve_file_bytes")
        .help("The size of each of the store's files.")
        .labelNames("file")
        .callback(
            callback ->
                facts.fileBytes().forEach((file, size) -> callback.call((double) size, file)))
        .register(registry);
    gauge("varve_disk_free_bytes", "How much more fits on the store's disk.", facts::diskFreeBytes);
    gauge("varve_disk_total_bytes", "How large the store's disk is.", facts::diskTotalBytes);
    gauge(
        "varve_writes_refused",
        "1 if the store refuses all writes, otherwise 0.",
        () -> facts.writeRefusal().isPresent() ? 1 : 0);
  }

  @Override
  public void answered(String port, String operation, int status, long nanos) {
    requests.labelValues(port, operation, Integer.toString(status)).inc();
    seconds.labelValues(port, operation).observe(nanos / NANOS);
    recent.answered(port, operation, status, nanos);
  }

  @Override
  public void failed(RequestFailure failure) {
    recent.failed(failure);
  }

  @Override
  public void moved(String port, String operation, long receivedBytes, long sentBytes) {
    if (receivedBytes > 0) {
      received.labelValues(port, operation).inc(receivedBytes);
    }
    if (sentBytes > 0) {
      sent.labelValues(port, operation).inc(sentBytes);
    }
  }

  @Override
  public void connected(String port) {
    connections.labelValues(port).inc();
  }

  @Override
  public void turnedAway(String port, EndReason why) {
    turnedAway.labelValues(port, why.name().toLowerCase(Locale.ROOT)).inc();
  }

  public RecentActivity recent() {
    return recent;
  }

  /// The facts about the store's disk, if this process has the store.
  public Optional<StorageFacts> storage() {
    return Optional.ofNullable(storage);
  }

  public Instant start() {
    return start;
  }

  /// Writes all metrics in the text format of Prometheus.
  public void write(OutputStream out) throws IOException {
    PrometheusTextFormatWriter.builder()
        .setIncludeCreatedTimestamps(false)
        .build()
        .write(out, registry.scrape());
  }
}
