// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/// Rollouts in the shape of Codex's, made of [SourceParts], 250 records a session: for each part of
/// a source file a prompt, a command that prints the part, its output, and an answer of sentences
/// from the comments. The same JDK gives the same files.
final class SourceRollouts implements AutoCloseable {

  private static final int SESSION_RECORDS = 250;

  private final Path home;
  private Writer file = Writer.nullWriter();
  private int sessions;
  private int ordinal = SESSION_RECORDS;
  private long bytes;

  private SourceRollouts(Path home) {
    this.home = home;
  }

  /// Writes sessions of about so many bytes in all below a home of Codex.
  ///
  /// @return the bytes
  static long write(Path home, long bytesMax) throws IOException {
    try (SourceRollouts rollouts = new SourceRollouts(home)) {
      SourceParts.each(
          (path, text) -> {
            rollouts.part(path, text);
            return rollouts.bytes < bytesMax;
          });
      return rollouts.bytes;
    }
  }

  private void part(String path, String text) {
    String name = path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
    String sentences = SourceParts.sentences(text);
    if (ordinal >= SESSION_RECORDS) {
      begin();
    }
    String call = "call_%d_%d".formatted(sessions, ordinal);
    message("user", "input_text", "What does " + name + " do here, and is there an error in it?");
    item(
        "{\"type\":\"function_call\",\"name\":\"exec_command\",\"arguments\":\"{\\\"cmd\\\":\\\"cat %s\\\"}\",\"call_id\":\"%s\"}"
            .formatted(path, call));
    item(
        "{\"type\":\"function_call_output\",\"call_id\":\"%s\",\"output\":\"%s\"}"
            .formatted(call, SourceParts.escaped(text)));
    message("assistant", "output_text", sentences.isEmpty() ? name + " is fine." : sentences);
  }

  private void message(String role, String kind, String text) {
    item(
        "{\"type\":\"message\",\"role\":\"%s\",\"content\":[{\"type\":\"%s\",\"text\":\"%s\"}]}"
            .formatted(role, kind, SourceParts.escaped(text)));
  }

  private void item(String payload) {
    record("response_item", payload);
  }

  private void begin() {
    String id = new UUID(sessions * 0x9E3779B97F4A7C15L, ~(long) sessions).toString();
    String time =
        "2026-11-%02dT%02d-%02d-00".formatted(1 + sessions % 28, sessions / 60 % 24, sessions % 60);
    sessions++;
    ordinal = 0;
    try {
      file.close();
      Path folder =
          Files.createDirectories(home.resolve("sessions/2026/11").resolve(time.substring(8, 10)));
      file = Files.newBufferedWriter(folder.resolve("rollout-" + time + "-" + id + ".jsonl"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    record(
        "session_meta",
        "{\"id\":\"%s\",\"timestamp\":\"2026-11-01T00:00:00.000Z\",\"cwd\":\"/projects/p%d\",\"originator\":\"codex_exec\",\"cli_version\":\"0.171.0\",\"source\":\"exec\",\"model_provider\":\"openai\",\"history_mode\":\"paginated\"}"
            .formatted(id, sessions % 40));
  }

  private void record(String type, String payload) {
    String line =
        "{\"timestamp\":\"2026-11-01T00:%02d:%02d.000Z\",\"ordinal\":%d,\"type\":\"%s\",\"payload\":%s}\n"
            .formatted(ordinal / 60 % 60, ordinal % 60, ordinal, type, payload);
    ordinal++;
    bytes += line.length();
    try {
      file.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
