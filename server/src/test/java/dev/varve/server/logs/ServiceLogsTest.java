// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.varve.StoreException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// The lines of the access log and of the log of slow requests.
final class ServiceLogsTest {

  private static final InstantSource NOON =
      InstantSource.fixed(Instant.parse("2026-01-02T12:00:00Z"));

  @TempDir Path folder;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private static AnsweredRequest request(String target, long micros) {
    return new AnsweredRequest(
        "binary",
        "ci bot",
        "127.0.0.1:5",
        "APPEND_TURN",
        target,
        true,
        200,
        new AnsweredRequest.Cost(120, 34, micros * 1000));
  }

  private void log(LogConfig config, AnsweredRequest... requests) {
    try (ServiceLogs logs = ServiceLogs.open(config, NOON)) {
      List.of(requests).forEach(logs::answered);
    }
  }

  @Test
  void aLineOfTextHasOneWordForEachFieldOrQuotes() {
    log(LogConfig.NONE.withAccess(() -> lines::add), request("context 5\n\u001b[1m", 1_234_567));

    assertThat(lines)
        .containsExactly(
            "2026-01-02T12:00:00Z request port=binary who=\"ci bot\" peer=127.0.0.1:5"
                + " what=APPEND_TURN target=\"context 5\\u000a\\u001b[1m\" status=200"
                + " received_bytes=120 sent_bytes=34 taken_ms=1234.567\n");
  }

  @Test
  void aLineOfJsonIsOneObjectWhateverTheClientSent() {
    log(
        LogConfig.NONE.withAccess(() -> lines::add).withFormat(LogFormat.JSON),
        request("/a\"\\\n\u2028=", 5));

    assertThat(lines).hasSize(1).first().asString().matches("[ -~]+\n");
    JsonNode line = new ObjectMapper().readTree(lines.getFirst());
    assertThat(line.get("event").stringValue()).isEqualTo("request");
    assertThat(line.get("at").stringValue()).isEqualTo("2026-01-02T12:00:00Z");
    assertThat(line.get("target").stringValue()).isEqualTo("/a\"\\\n\u2028=");
    assertThat(line.get("taken_ms").doubleValue()).isEqualTo(0.005);
    assertThat(line.get("received_bytes").longValue()).isEqualTo(120);
  }

  @Test
  void onlyARequestThatTookItsTimeIsSlow() {
    log(
        LogConfig.NONE.withSlow(Duration.ofMillis(5), lines::add),
        request("quick", 4_999),
        request("slow", 5_000));

    assertThat(lines).singleElement().asString().contains(" slow ", "target=slow ", "=5.000");
  }

  @Test
  void aLongTargetIsCut() {
    log(LogConfig.NONE.withAccess(() -> lines::add), request("/".repeat(9000), 1));

    assertThat(lines.getFirst()).hasSizeLessThan(800).contains("/\\u2026\" status");
  }

  @Test
  void aSlowDiskLosesLinesThatAreCountedAndHoldsNoRequestUp() throws InterruptedException {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    LineSink slow =
        text -> {
          writing.countDown();
          try {
            free.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          lines.add(text);
        };
    Map<String, LongSupplier> losses = new HashMap<>();
    int more = 10;
    try (ServiceLogs logs = ServiceLogs.open(LogConfig.NONE.withAccess(() -> slow), NOON)) {
      logs.losses(losses::put);
      logs.answered(request("first", 1));
      writing.await(); // from here on nothing is taken from the queue
      for (int i = 0; i < QueuedLog.QUEUE_MAX + more; i++) {
        logs.answered(request("t", 1));
      }
      assertThat(losses.get("varve_access_lines_lost").getAsLong()).isEqualTo(more);
      free.countDown();
    }
    assertThat(String.join("", lines)).hasLineCount(1 + QueuedLog.QUEUE_MAX);
  }

  @Test
  void linesThatCannotBeWrittenAreCounted() {
    Map<String, LongSupplier> losses = new HashMap<>();
    LineSink broken =
        _ -> {
          throw new IOException("no room");
        };
    try (ServiceLogs logs =
        ServiceLogs.open(LogConfig.NONE.withSlow(Duration.ZERO, broken), NOON)) {
      logs.losses(losses::put);
      logs.answered(request("a", 1));
      logs.answered(request("b", 1));
    }
    assertThat(losses).containsOnlyKeys("varve_slow_lines_lost");
    assertThat(losses.get("varve_slow_lines_lost").getAsLong()).isEqualTo(2);
  }

  @Test
  void anAccessLogThatCannotBeOpenedLeavesNoAuditFileOpen() {
    LogConfig config =
        LogConfig.NONE
            .withAudit(folder.resolve("audit"))
            .withAccess(folder.resolve("absent").resolve("access"));
    long before = openFiles();

    for (int i = 0; i < 300; i++) {
      assertThatThrownBy(() -> ServiceLogs.open(config, NOON))
          .isInstanceOf(StoreException.Io.class);
    }

    assertThat(openFiles() - before).isLessThan(100); // other tests open files meanwhile
  }

  private static long openFiles() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }
}
