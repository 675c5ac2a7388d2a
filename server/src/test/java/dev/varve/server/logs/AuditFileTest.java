// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditFileTest {

  private static final InstantSource NOON =
      InstantSource.fixed(Instant.parse("2026-01-02T12:00:00Z"));

  @TempDir Path folder;

  private static AnsweredRequest request(String who, String target, boolean writes, int status) {
    return new AnsweredRequest(
        "http", who, "127.0.0.1:5", "putBlob", target, writes, status, AnsweredRequest.Cost.NONE);
  }

  @Test
  void aWriteIsOneLineWhateverTheClientSent() throws IOException {
    Path path = folder.resolve("audit");
    try (AuditFile audit = AuditFile.open(path, NOON)) {
      audit.answered(request("ci", "/v1/a\"\n\u001b\u2028b", true, 201));
      audit.answered(request("ci", "/v1/read", false, 200));
    }
    try (AuditFile audit = AuditFile.open(path, NOON)) {
      audit.answered(request("-", "/v1/c", true, 401));
    }

    assertThat(Files.readAllLines(path))
        .containsExactly(
            "{\"at\":\"2026-01-02T12:00:00Z\",\"port\":\"http\",\"who\":\"ci\",\"peer\":\"127.0.0.1:5\","
                + "\"what\":\"putBlob\",\"target\":\"/v1/a\\\"\\u000a\\u001b\\u2028b\",\"status\":201}",
            "{\"at\":\"2026-01-02T12:00:00Z\",\"port\":\"http\",\"who\":\"-\",\"peer\":\"127.0.0.1:5\","
                + "\"what\":\"putBlob\",\"target\":\"/v1/c\",\"status\":401}");
  }

  @Test
  void lostEntriesAreCounted() {
    AuditFile audit = AuditFile.open(folder.resolve("audit"), NOON);
    audit.close();

    audit.answered(request("ci", "t", true, 200));

    assertThat(audit.lost()).isEqualTo(1);
  }
}
