// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.StoreCounts;
import dev.varve.server.contexts.LiveSessions;
import dev.varve.server.metrics.Failure;
import dev.varve.server.metrics.Metrics;
import dev.varve.server.metrics.ProcessFacts;
import dev.varve.server.metrics.Recent;
import dev.varve.server.metrics.StorageFacts;
import dev.varve.server.types.Catalogue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the service counts: for Prometheus, and in cxdb's shape for its dashboard. A number that
/// the system does not tell is null. cxdb's `filesystem` is left out: trees are blobs like all
/// others here, and nobody counts them.
record MetricsRoutes(Service service, Metrics metrics) {

  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int ERRORS_DEFAULT = 50;
  private static final int HISTORY_SECONDS = 30;

  /// Parts of the heap from which on cxdb's dashboard warns.
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

  private Answer prometheus() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    metrics.write(out);
    return Answer.bytes(200, PROMETHEUS, out.toByteArray());
  }

  private Answer errors(Request request) {
    int limit = request.number("limit", ERRORS_DEFAULT, Integer.MAX_VALUE);
    ObjectNode answer = Json.object();
    ArrayNode errors = answer.putArray("errors");
    for (Failure failure : metrics.recent().failures(limit)) {
      errors
          .addObject()
          .put("timestamp_ms", failure.at().toEpochMilli())
          .put("kind", failure.port())
          .put("status_code", failure.status())
          .put("message", failure.message())
          .put("path", failure.path());
    }
    return Answer.json(answer);
  }

  private Answer stats() {
    StoreCounts counts = service.store().counts();
    return Answer.json(
        Json.object()
            .put("contexts", counts.contexts())
            .put("turns", counts.turns())
            .put("blobs", counts.blobs())
            .put("overlays", counts.overlays())
            .put("raw_bytes", counts.rawBytes())
            .put("stored_bytes", counts.storedBytes())
            .put("storage_bytes", counts.diskBytes()));
  }

  private Answer json() {
    Instant now = service.clock().instant();
    StoreCounts counts = service.store().counts();
    ObjectNode all = Json.object();
    all.put("ts", now.toString());
    all.put("uptime_seconds", Duration.between(metrics.start(), now).toMillis() / 1000.0);
    memory(all.putObject("memory"));
    sessions(all.putObject("sessions"), now);
    ObjectNode objects = all.putObject("objects");
    objects.put("contexts_total", counts.contexts()).put("turns_total", counts.turns());
    objects.put("blobs_total", counts.blobs()).put("heads_total", counts.contexts());
    objects.put("overlays_total", counts.overlays());
    Catalogue catalogue = service.views().registry().catalogue();
    objects.put("registry_types_total", catalogue.typeCount());
    objects.put("registry_bundles_total", catalogue.bundleCount());
    storage(all.putObject("storage"), counts);
    perf(all.putObject("perf"));
    Recent recent = metrics.recent();
    ObjectNode errors = all.putObject("errors");
    errors.put("total", recent.httpErrors() + recent.binaryErrors());
    errors
        .putObject("by_type")
        .put("http", recent.httpErrors())
        .put("binary", recent.binaryErrors());
    all.putObject("events").put("subscribers", service.hub().subscribers());
    return Answer.json(all);
  }

  /// The files of both have the same names, so that the sizes are those that cxdb means.
  private void storage(ObjectNode storage, StoreCounts counts) {
    StorageFacts facts = metrics.storage();
    Map<String, Long> files = facts.fileBytes();
    put(storage, "turns_log_bytes", files.get("turns.log"));
    put(storage, "turns_index_bytes", files.get("turns.idx"));
    put(storage, "turns_meta_bytes", files.get("turns.meta"));
    put(storage, "heads_table_bytes", files.get("heads.tbl"));
    put(storage, "blobs_pack_bytes", files.get("blobs.pack"));
    put(storage, "blobs_index_bytes", files.get("blobs.idx"));
    put(storage, "data_dir_total_bytes", facts.totalBytes());
    put(storage, "data_dir_free_bytes", facts.freeBytes());
    storage.put("blobs_raw_bytes", counts.rawBytes());
    storage.put("blobs_stored_bytes", counts.storedBytes());
    storage.put("store_bytes", counts.diskBytes());
  }

  /// As cxdb counts: all that ever were, those that are open, and of these the ones that asked
  /// nothing for a minute.
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
    Recent recent = metrics.recent();
    for (Recent.Kind kind : Recent.Kind.values()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      perf.put(name + "_tps_1m", recent.perSecond(kind, 60));
      perf.put(name + "_tps_5m", recent.perSecond(kind, 300));
      ArrayNode history = perf.putArray(name + "_tps_history");
      for (long count : recent.history(kind, HISTORY_SECONDS)) {
        history.add(count);
      }
    }
    latency(perf, "append_latency_ms", recent.latency(Recent.Kind.APPEND));
    latency(perf, "get_last_latency_ms", recent.latency(Recent.Kind.GET_LAST));
    latency(perf, "get_blob_latency_ms", recent.latency(Recent.Kind.GET_BLOB));
    latency(perf, "http_latency_ms", recent.latency(Recent.Kind.HTTP_REQ));
  }

  private static void latency(ObjectNode perf, String name, Recent.Latency latency) {
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
