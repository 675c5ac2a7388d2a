// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

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

  @Test
  void anEntryIsOneLineWhateverTheClientSent() throws IOException {
    Path path = folder.resolve("audit");
    try (AuditFile audit = AuditFile.open(path, NOON)) {
      audit.wrote(
          new AuditLog.Entry(
              "http", "ci", "127.0.0.1:5", "putBlob", "/v1/a\"\n\u001b\u2028b", 201));
    }
    try (AuditFile audit = AuditFile.open(path, NOON)) {
      audit.wrote(new AuditLog.Entry("http", "-", "127.0.0.1:5", "putBlob", "/v1/c", 401));
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

    audit.wrote(new AuditLog.Entry("http", "ci", "p", "w", "t", 200));

    assertThat(audit.lost()).isEqualTo(1);
  }
}
