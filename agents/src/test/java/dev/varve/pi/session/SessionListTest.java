// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionListTest {

  private static final int TWO_READS = 32 << 10;

  @TempDir Path folder;

  private SessionSummary summary(SessionText text) throws IOException {
    return SessionList.of(text.write(folder.resolve("s.jsonl")), false);
  }

  private static SessionText grow(SessionText text, int entries) {
    for (int i = 0; i < entries; i++) {
      text.user("e" + i, i == 0 ? null : "e" + (i - 1), "word ".repeat(20) + i);
    }
    return text;
  }

  @Test
  void ofALargeFileOnlyBothEndsAreRead() throws IOException {
    SessionText text = grow(SessionText.headed(), 20_000);
    text.line(
        "{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":null,"
            + "\"timestamp\":\"2026-11-27T23:00:00.000Z\",\"name\":\"Late name\"}");

    SessionSummary summary = summary(text);

    assertThat(summary.sizeBytes()).isGreaterThan(2 << 20);
    assertThat(summary.readBytes()).isLessThanOrEqualTo(TWO_READS);
    assertThat(summary.name()).isEqualTo("Late name");
    assertThat(summary.firstPrompt()).startsWith("word");
    assertThat(summary.lastActiveAt()).isEqualTo(Instant.parse("2026-11-27T23:00:00Z"));
    assertThat(summary.entries()).isEqualTo(-1);
    assertThat(summary.header()).isNotNull();
  }

  @Test
  void ofASmallFileTheEntriesAreCounted() throws IOException {
    assertThat(summary(grow(SessionText.headed(), 7)).entries()).isEqualTo(7);
  }

  @Test
  void readAsAWholeAFileTellsEverything() throws IOException {
    SessionText text = grow(SessionText.headed(), 300);
    text.line("{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":null,\"name\":\"Midway\"}");
    grow(text, 300);
    Path file = text.write(folder.resolve("s.jsonl"));

    assertThat(SessionList.of(file, false).name()).isEmpty();
    SessionSummary whole = SessionList.of(file, true);
    assertThat(whole.name()).isEqualTo("Midway");
    assertThat(whole.entries()).isEqualTo(601);
    assertThat(whole.readBytes()).isEqualTo(whole.sizeBytes());
  }

  @Test
  void aPromptBehindALargeLineAndALargeLastLineAreFound() throws IOException {
    SessionText text = SessionText.headed();
    text.line(
        "{\"type\":\"custom\",\"customType\":\"big\",\"data\":\"%s\",\"id\":\"b\",\"parentId\":null}"
            .formatted("y".repeat(200_000)));
    text.user("a", null, "Here I am");
    grow(text, 2_000);
    text.line(
        "{\"type\":\"message\",\"id\":\"z\",\"parentId\":null,"
            + "\"timestamp\":\"2026-11-28T01:00:00.000Z\",\"message\":{\"role\":\"user\","
            + "\"content\":\"%s\"}}".formatted("z".repeat(200_000)));

    SessionSummary summary = summary(text);

    assertThat(summary.firstPrompt()).isEqualTo("Here I am");
    assertThat(summary.lastActiveAt()).isEqualTo(Instant.parse("2026-11-28T01:00:00Z"));
  }

  @Test
  void aTornTailFallsBackToTheEntryBefore() throws IOException {
    Path file = grow(SessionText.headed(), 3).write(folder.resolve("s.jsonl"));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(
        file,
        new String(bytes, StandardCharsets.UTF_8)
            .substring(0, bytes.length - 30)
            .getBytes(StandardCharsets.UTF_8));

    SessionSummary summary = SessionList.of(file, false);

    assertThat(summary.entries()).isEqualTo(2);
    assertThat(summary.lastActiveAt()).isEqualTo(Instant.parse("2026-11-27T20:37:22.033Z"));
  }

  @Test
  void aFileThatBeginsWithNoHeaderHasNone() throws IOException {
    assertThat(summary(new SessionText().user("a", null, "x").line(header())).header()).isNull();
    assertThat(summary(new SessionText().line("{torn").line("").line(header())).header())
        .as("what Pi passes over")
        .isNotNull();
    Files.write(folder.resolve("s.jsonl"), new byte[0]);
    assertThat(SessionList.of(folder.resolve("s.jsonl"), false).header()).isNull();
  }

  private static String header() {
    return SessionText.headed().lines().getFirst();
  }

  @Test
  void theLastActiveComesFirstAndWhatCannotBeReadIsTold() throws IOException {
    SessionText.headed("old").user("a", null, "x").write(folder.resolve("1.jsonl"));
    SessionText.headed("new")
        .user("a", null, "x")
        .line(
            "{\"type\":\"custom\",\"id\":\"b\",\"parentId\":\"a\","
                + "\"timestamp\":\"2027-01-01T00:00:00.000Z\"}")
        .write(folder.resolve("2.jsonl"));
    Files.createDirectory(folder.resolve("3.jsonl"));
    Files.createDirectories(folder.resolve("deep/er"));
    SessionText.headed("deep").write(folder.resolve("deep/er/4.jsonl"));

    SessionList list = SessionList.below(folder, false, _ -> {});

    assertThat(list.sessions())
        .extracting(session -> Objects.requireNonNull(session.header()).id())
        .containsExactly("new", "deep", "old");
    assertThat(list.problems()).isEqualTo(List.of());
  }
}
