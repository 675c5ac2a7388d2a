// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.StorageFacts;
import dev.varve.StoreCounts;
import dev.varve.server.contexts.LiveSessions;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import dev.varve.server.metrics.Metrics;
import dev.varve.server.metrics.ProcessFacts;
import dev.varve.server.metrics.RecentActivity;
import dev.varve.server.metrics.RequestFailure;
import dev.varve.server.types.TypeCatalogue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The metrics of the service: in the format of Prometheus, and in cxdb's form for cxdb's
/// dashboard. A number that the system does not provide is null. cxdb's `filesystem` is left out,
/// because file trees are ordinary blobs here and are not counted.
record MetricsRoutes(HttpService service, Metrics metrics) {

  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int ERRORS_DEFAULT = 50;
  private static final int HISTORY_SECONDS = 30;

  /// Shares of the heap at which cxdb's dashboard warns.
  private static final double WARN = 0.6;

  private static final double HOT = 0.8;
  private static final double CRITICAL = 0.92;
  private static final Duration IDLE = Duration.ofSeconds(60);

  List<Route> routes() {
    return List.of(
        Route.get(
            "/metrics",
            Route.Doc.of("metrics", "Counters and times in the text format of Prometheus.")
                .answers(PROMETHEUS, 200),
            _ -> prometheus()),
        Route.get(
            "/v1/metrics",
            Route.Doc.of("metricsJson", "The same in cxdb's shape.").gives("Metrics"),
            _ -> json()),
        Route.get(
            "/v1/errors",
            Route.Doc.of(
                    "listErrors", "The requests that were refused or failed last, newest first.")
                .params(new Route.Param("limit", "integer", "how many at most"))
                .gives("ErrorList"),
            this::errors),
        Route.get(
            "/v1/stats",
            Route.Doc.of("stats", "How much the store holds.").gives("Stats"),
            _ -> stats()));
  }

  private HttpAnswer prometheus() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    metrics.write(out);
    return HttpAnswer.bytes(200, PROMETHEUS, out.toByteArray());
  }

  private HttpAnswer errors(HttpRequest request) {
    int limit = request.number("limit", ERRORS_DEFAULT, Integer.MAX_VALUE);
    ObjectNode answer = JsonTrees.object();
    ArrayNode errors = answer.putArray("errors");
    for (RequestFailure failure : metrics.recent().failures(limit)) {
      errors
          .addObject()
          .put("timestamp_ms", failure.at().toEpochMilli())
          .put("kind", failure.port())
          .put("status_code", failure.status())
          .put("message", failure.message())
          .put("path", failure.path());
    }
    return HttpAnswer.json(answer);
  }

  private HttpAnswer stats() {
    StoreCounts counts = service.store().counts();
    return HttpAnswer.json(
        JsonTrees.object()
            .put("contexts", counts.contexts())
            .put("turns", counts.turns())
            .put("blobs", counts.blobs())
            .put("overlays", counts.overlays())
            .put("raw_bytes", counts.rawBytes())
            .put("stored_bytes", counts.storedBytes())
            .put("storage_bytes", counts.diskBytes()));
  }

  private HttpAnswer json() {
    Instant now = service.clock().instant();
    StoreCounts counts = service.store().counts();
    ObjectNode all = JsonTrees.object();
    all.put("ts", now.toString());
    all.put("uptime_seconds", Duration.between(metrics.start(), now).toMillis() / 1000.0);
    memory(all.putObject("memory"));
    sessions(all.putObject("sessions"), now);
    ObjectNode objects = all.putObject("objects");
    objects.put("contexts_total", counts.contexts()).put("turns_total", counts.turns());
    objects.put("blobs_total", counts.blobs()).put("heads_total", counts.contexts());
    objects.put("overlays_total", counts.overlays());
    TypeCatalogue catalogue = service.views().registry().catalogue();
    objects.put("registry_types_total", catalogue.typeCount());
    objects.put("registry_bundles_total", catalogue.bundleCount());
    storage(all.putObject("storage"), counts);
    perf(all.putObject("perf"));
    RecentActivity recent = metrics.recent();
    ObjectNode errors = all.putObject("errors");
    errors.put("total", recent.httpErrors() + recent.binaryErrors());
    errors
        .putObject("by_type")
        .put("http", recent.httpErrors())
        .put("binary", recent.binaryErrors());
    all.putObject("events").put("subscribers", service.hub().subscribers());
    return HttpAnswer.json(all);
  }

  /// The files of both stores have the same names, so the sizes mean the same.
  private void storage(ObjectNode storage, StoreCounts counts) {
    Optional<StorageFacts> facts = metrics.storage();
    Map<String, Long> files = facts.map(StorageFacts::fileBytes).orElse(Map.of());
    put(storage, "turns_log_bytes", files.get("turns.log"));
    put(storage, "turns_index_bytes", files.get("turns.idx"));
    put(storage, "turns_meta_bytes", files.get("turns.meta"));
    put(storage, "heads_table_bytes", files.get("heads.tbl"));
    put(storage, "blobs_pack_bytes", files.get("blobs.pack"));
    put(storage, "blobs_index_bytes", files.get("blobs.idx"));
    put(storage, "data_dir_total_bytes", facts.map(StorageFacts::diskTotalBytes).orElse(-1L));
    put(storage, "data_dir_free_bytes", facts.map(StorageFacts::diskFreeBytes).orElse(-1L));
    storage.put("blobs_raw_bytes", counts.rawBytes());
    storage.put("blobs_stored_bytes", counts.storedBytes());
    storage.put("store_bytes", counts.diskBytes());
  }

  /// Session counts as cxdb defines them: all sessions so far, the open ones, and the open ones
  /// without a request for a minute.
  private void sessions(ObjectNode sessions, Instant now) {
    List<LiveSessions.Active> open = service.views().sessions().active();
    long last = service.views().sessions().lastActivity().toEpochMilli();
    int idle = 0;
    for (LiveSessions.Active each : open) {
      Instant at = each.session().lastActivityAt();
      last = Math.max(last, at.toEpochMilli());
      idle += at.isAfter(now.minus(IDLE)) ? 0 : 1;
    }
    sessions.put("total", service.views().sessions().total());
    sessions.put("active", open.size()).put("idle", idle).put("last_activity_unix_ms", last);
  }

  private static void memory(ObjectNode memory) {
    Map<String, Long> system = ProcessFacts.systemMemory();
    put(memory, "sys_total_bytes", system.get("MemTotal"));
    put(memory, "sys_available_bytes", system.get("MemAvailable"));
    put(memory, "sys_free_bytes", system.get("MemFree"));
    put(memory, "sys_cached_bytes", system.get("Cached"));
    put(memory, "sys_swap_total_bytes", system.get("SwapTotal"));
    put(memory, "sys_swap_free_bytes", system.get("SwapFree"));
    put(memory, "process_rss_bytes", ProcessFacts.residentBytes());
    put(memory, "process_vmem_bytes", ProcessFacts.virtualBytes());
    put(memory, "process_heap_bytes", ProcessFacts.heapBytes());
    put(memory, "process_open_fds", ProcessFacts.openFiles());
    long budget = Runtime.getRuntime().maxMemory();
    double ratio = (double) ProcessFacts.heapBytes() / budget;
    memory.put("budget_bytes", budget).put("pressure_ratio", ratio);
    memory.put("hard_cap_bytes", budget);
    Long total = system.get("MemTotal");
    if (total == null || total == 0) {
      memory.putNull("budget_pct");
    } else {
      memory.put("budget_pct", (double) budget / total);
    }
    memory.put("spill_threshold_bytes", (long) (budget * HOT));
    memory.put("spill_critical_bytes", (long) (budget * CRITICAL));
    memory.put(
        "pressure_level",
        ratio < WARN ? "OK" : ratio < HOT ? "WARN" : ratio < CRITICAL ? "HOT" : "CRITICAL");
  }

  private static void put(
      ObjectNode object, String name, @org.jspecify.annotations.Nullable Long value) {
    if (value == null || value < 0) {
      object.putNull(name);
    } else {
      object.put(name, value);
    }
  }

  private void perf(ObjectNode perf) {
    RecentActivity recent = metrics.recent();
    for (RecentActivity.Kind kind : RecentActivity.Kind.values()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      perf.put(name + "_tps_1m", recent.perSecond(kind, 60));
      perf.put(name + "_tps_5m", recent.perSecond(kind, 300));
      ArrayNode history = perf.putArray(name + "_tps_history");
      for (long count : recent.history(kind, HISTORY_SECONDS)) {
        history.add(count);
      }
      ArrayNode slowest = perf.putArray(name + "_slowest_ms_history");
      for (double millis : recent.slowest(kind, HISTORY_SECONDS)) {
        slowest.add(millis);
      }
    }
    latency(perf, "append_latency_ms", recent.latency(RecentActivity.Kind.APPEND));
    latency(perf, "get_last_latency_ms", recent.latency(RecentActivity.Kind.GET_LAST));
    latency(perf, "get_blob_latency_ms", recent.latency(RecentActivity.Kind.GET_BLOB));
    latency(perf, "http_latency_ms", recent.latency(RecentActivity.Kind.HTTP_REQ));
  }

  private static void latency(ObjectNode perf, String name, RecentActivity.Latency latency) {
    ObjectNode object = perf.putObject(name);
    if (latency.count() == 0) {
      object.putNull("p50").putNull("p95").putNull("p99").putNull("max");
    } else {
      object.put("p50", latency.p50()).put("p95", latency.p95());
      object.put("p99", latency.p99()).put("max", latency.max());
    }
    object.put("count", latency.count());
  }
}
