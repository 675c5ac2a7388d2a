// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.View;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.server.logs.LogConfig;
import dev.varve.server.metrics.ListenQueue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What both ports count, and what is told of it.
final class MetricsTest {

  private static final DeclaredType NOTE = new DeclaredType("note", 1);

  @TempDir Path folder;
  private Served served;

  @BeforeEach
  void start() {
    served =
        new Served(
            folder.resolve("s"),
            Served.ANY_PORT.withLogs(
                LogConfig.NONE
                    .withAudit(folder.resolve("audit.jsonl"))
                    .withAccess(folder.resolve("access.log"))
                    .withSlow(Duration.ofDays(1), _ -> {})));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Store remote() {
    return RemoteStore.connect(served.server.binaryAddress(), RemoteOptions.DEFAULTS);
  }

  private String scraped() {
    return served.get("/metrics").text();
  }

  /// What one series says; 0 where there is none.
  private static double value(String metrics, String series) {
    Matcher line = Pattern.compile("(?m)^" + Pattern.quote(series) + " (\\S+)$").matcher(metrics);
    return line.find() ? Double.parseDouble(line.group(1)) : 0;
  }

  @Test
  void theBinaryPortCountsWhatItIsAskedByKind() {
    try (Store remote = remote()) {
      ContextId context = remote.createContext().id();
      remote.append(context, NewTurn.of(Payload.of(new byte[5000]), NOTE, Encoding.RAW));
      remote.last(context, 10, View.LATEST);
      assertThatThrownBy(() -> remote.head(new ContextId(77)))
          .isInstanceOf(StoreException.NotFound.class);

      String metrics = scraped();

      String asked = "varve_requests_total{operation=\"%s\",port=\"binary\",status=\"%s\"}";
      assertThat(value(metrics, asked.formatted("turn_append", 200))).isEqualTo(1);
      assertThat(value(metrics, asked.formatted("page_last", 200))).isEqualTo(1);
      assertThat(value(metrics, asked.formatted("context_get", 404))).isEqualTo(1);
      String of = "{operation=\"%s\",port=\"binary\"}";
      assertThat(value(metrics, "varve_request_seconds_count" + of.formatted("turn_append")))
          .isEqualTo(1);
      assertThat(value(metrics, "varve_request_seconds_sum" + of.formatted("turn_append")))
          .isPositive();
      assertThat(value(metrics, "varve_received_bytes_total" + of.formatted("turn_append")))
          .isBetween(5000.0, 5300.0);
      assertThat(value(metrics, "varve_sent_bytes_total" + of.formatted("page_last")))
          .isBetween(5000.0, 5300.0);
      assertThat(value(metrics, "varve_open_connections{port=\"binary\"}")).isPositive();
      assertThat(value(metrics, "varve_connections_total{port=\"binary\"}")).isPositive();
    }
  }

  @Test
  void bodiesOfHttpAreCountedTooAndSoAreConnections() {
    byte[] blob = new byte[300_000];
    String path = served.putBlob(blob);
    served.get(path);
    served.head(path);

    String metrics = scraped();

    assertThat(value(metrics, "varve_received_bytes_total{operation=\"putBlob\",port=\"http\"}"))
        .isEqualTo(blob.length);
    assertThat(value(metrics, "varve_sent_bytes_total{operation=\"getBlob\",port=\"http\"}"))
        .as("once: HEAD has no body")
        .isEqualTo(blob.length);
    assertThat(value(metrics, "varve_open_connections{port=\"http\"}")).isPositive();
    assertThat(value(metrics, "varve_connections_total{port=\"http\"}")).isPositive();
  }

  @Test
  void commitsAndForcesAreTimed() {
    String before = scraped();
    ContextId context = served.store.createContext().id();
    for (int i = 0; i < 5; i++) {
      served.store.append(context, NewTurn.of(Payload.utf8("turn " + i), NOTE, Encoding.RAW));
    }
    String after = scraped();

    assertThat(value(before, "varve_commit_seconds_count")).isZero();
    assertThat(value(after, "varve_commit_seconds_count")).isEqualTo(6);
    assertThat(value(after, "varve_committed_changes_total")).isEqualTo(6);
    assertThat(value(after, "varve_force_seconds_count")).isEqualTo(6);
    assertThat(value(after, "varve_force_seconds_sum"))
        .isPositive()
        .isLessThan(value(after, "varve_commit_seconds_sum"));
    assertThat(value(after, "varve_waiting_changes")).isZero();
  }

  @Test
  void aPauseOfTheGarbageCollectorIsCounted() {
    Pattern counts = Pattern.compile("(?m)^varve_gc_pause_seconds_count\\{.* ([0-9]+)$");
    assertThat(counts.matcher(scraped()).find()).as("known before the first pause").isTrue();
    long until = System.nanoTime() + 60_000_000_000L;
    long pauses = 0;
    System.gc();
    while (pauses == 0 && System.nanoTime() < until) { // it is reported by another thread
      pauses = counts.matcher(scraped()).results().mapToLong(m -> Long.parseLong(m.group(1))).sum();
    }
    assertThat(pauses).isPositive();
  }

  @Test
  void connectionsThatNobodyAcceptsAreSeenToWait() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket nobody = new ServerSocket(0, 10, here)) {
      assertThat(ListenQueue.length(nobody.getLocalPort())).isZero();
      try (Socket _ = new Socket(here, nobody.getLocalPort());
          Socket _ = new Socket(here, nobody.getLocalPort())) {
        assertThat(ListenQueue.length(nobody.getLocalPort())).isEqualTo(2);
      }
    }
    assertThat(value(scraped(), "varve_waiting_connections{port=\"http\"}")).isZero();
    assertThat(value(scraped(), "varve_waiting_connections{port=\"binary\"}")).isZero();
  }

  @Test
  void whatWasRefusedIsListedNewestFirst() {
    served.get("/v1/contexts/5");
    served.get("/nowhere");
    try (Store remote = remote()) {
      assertThatThrownBy(() -> remote.head(new ContextId(77)))
          .isInstanceOf(StoreException.NotFound.class);
    }

    JsonNode errors = served.get("/v1/errors").json().get("errors");

    assertThat(errors.size()).isEqualTo(3);
    assertThat(errors.get(0).get("kind").stringValue()).isEqualTo("binary");
    assertThat(errors.get(0).get("path").stringValue()).isEqualTo("CONTEXT_GET");
    assertThat(errors.get(0).get("message").stringValue()).contains("77");
    assertThat(errors.get(1).get("path").stringValue()).isEqualTo("/nowhere");
    assertThat(errors.get(2).get("status_code").intValue()).isEqualTo(404);
    assertThat(served.get("/v1/errors?limit=1").json().get("errors").size()).isEqualTo(1);
    assertThat(served.get("/v1/errors?limit=x").status()).isEqualTo(422);
  }

  @Test
  void cxdbsDashboardFindsItsNumbers() {
    try (Store remote = remote()) {
      ContextId context = remote.createContext().id();
      for (int i = 0; i < 3; i++) {
        remote.append(context, NewTurn.of(Payload.utf8("turn " + i), NOTE, Encoding.RAW));
      }
      remote.last(context, 2, View.LATEST);
    }

    JsonNode json = served.get("/v1/metrics").json();

    assertThat(json.at("/objects/turns_total").longValue()).isEqualTo(3);
    assertThat(json.at("/storage/turns_log_bytes").longValue()).isPositive();
    assertThat(json.at("/storage/blobs_pack_bytes").longValue()).isPositive();
    assertThat(json.at("/storage/data_dir_total_bytes").longValue())
        .isGreaterThan(json.at("/storage/data_dir_free_bytes").longValue());
    assertThat(json.at("/perf/append_latency_ms/count").longValue()).isEqualTo(3);
    assertThat(json.at("/perf/append_latency_ms/p99").doubleValue()).isPositive();
    assertThat(json.at("/perf/get_last_latency_ms/count").longValue()).isEqualTo(1);
    assertThat(json.at("/perf/append_tps_5m").doubleValue()).isPositive();
    assertThat(json.at("/perf/append_tps_history").size()).isEqualTo(30);
    assertThat(json.at("/perf/append_slowest_ms_history").size()).isEqualTo(30);
    assertThat(
            json.at("/perf/append_slowest_ms_history")
                .valueStream()
                .mapToDouble(slowest -> slowest.doubleValue())
                .max())
        .hasValue(json.at("/perf/append_latency_ms/max").doubleValue());
    assertThat(json.at("/sessions/total").longValue()).isPositive();
    assertThat(json.at("/sessions/last_activity_unix_ms").longValue()).isPositive();
    for (String name :
        new String[] {
          "ts",
          "uptime_seconds",
          "memory/sys_total_bytes",
          "memory/process_rss_bytes",
          "memory/budget_bytes",
          "memory/budget_pct",
          "memory/hard_cap_bytes",
          "memory/pressure_ratio",
          "memory/pressure_level",
          "memory/spill_threshold_bytes",
          "memory/spill_critical_bytes",
          "sessions/active",
          "sessions/idle",
          "objects/contexts_total",
          "objects/blobs_total",
          "objects/registry_types_total",
          "objects/registry_bundles_total",
          "objects/heads_total",
          "storage/turns_index_bytes",
          "storage/turns_meta_bytes",
          "storage/heads_table_bytes",
          "storage/blobs_index_bytes",
          "perf/registry_ingest_tps_1m",
          "perf/http_req_tps_history",
          "perf/http_errors_tps_5m",
          "perf/get_blob_latency_ms/count",
          "errors/total",
          "errors/by_type/binary"
        }) {
      assertThat(json.at("/" + name).isMissingNode()).as(name).isFalse();
    }
  }

  @Test
  void thePageTellsWhatEachMetricMeans() throws IOException {
    try (Store remote = remote()) {
      remote.createContext();
    }
    Set<String> told = new TreeSet<>();
    Path page = Path.of(System.getProperty("root.dir"), "docs", "operations.md");
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("| `varve_")) {
        String names = line.substring(0, line.indexOf(" |", 3));
        Matcher name = Pattern.compile("`(varve_\\w+)").matcher(names);
        while (name.find()) {
          told.add(name.group(1));
        }
      }
    }
    Set<String> measured = new TreeSet<>();
    Matcher help = Pattern.compile("(?m)^# HELP (\\w+) \\S").matcher(scraped());
    while (help.find()) {
      measured.add(help.group(1));
    }

    told.removeAll(
        Set.of("varve_tls_expiry_seconds", "varve_tls_failures")); // CertificatesTest has them
    assertThat(measured).isEqualTo(told);
  }
}
