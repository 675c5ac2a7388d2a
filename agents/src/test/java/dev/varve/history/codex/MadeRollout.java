// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.codex;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A made-up rollout of Codex.
final class MadeRollout {

  private final String name;
  private final List<String> lines = new ArrayList<>();
  private final boolean numbered;
  private int ordinal;
  private int second;

  private MadeRollout(String name, boolean numbered, int ordinal) {
    this.name = name;
    this.numbered = numbered;
    this.ordinal = ordinal;
  }

  static String id(int number) {
    return "00000000-0000-7000-8000-" + String.format("%012d", number);
  }

  static MadeRollout of(int thread) {
    return new MadeRollout("2026-11-28T10-00-0" + thread + "-" + id(thread), true, 0)
        .line("session_meta", "{\"id\":\"" + id(thread) + "\",\"cwd\":\"/src/shop\"}");
  }

  /// A rollout without numbers, as older versions wrote them.
  static MadeRollout legacy(int thread) {
    return new MadeRollout("2026-11-28T10-00-0" + thread + "-" + id(thread), false, 0)
        .line("session_meta", "{\"id\":\"" + id(thread) + "\",\"cwd\":\"/src/shop\"}");
  }

  /// A fork of this rollout as it is now.
  MadeRollout fork(int thread) {
    return new MadeRollout("2026-11-28T10-00-0" + thread + "-" + id(thread), true, ordinal)
        .line("session_meta", pointer(id(thread), ",\"forked_from_id\":\"" + base() + "\""));
  }

  /// A segment of the same thread, behind what this rollout holds now.
  MadeRollout segment(int thread, int segment) {
    String both = id(thread) + "_" + id(segment);
    return new MadeRollout("2026-11-28T10-00-0" + segment + "-" + both, true, ordinal)
        .line("session_meta", pointer(id(thread), ""));
  }

  private String base() {
    return name.substring(name.length() - 36);
  }

  private String pointer(String thread, String more) {
    return "{\"id\":\""
        + thread
        + "\""
        + more
        + ",\"history_base\":{\"thread_id\":\""
        + base()
        + "\",\"end_ordinal_exclusive\":"
        + ordinal
        + ",\"end_byte_offset\":"
        + text().getBytes(StandardCharsets.UTF_8).length
        + "}}";
  }

  MadeRollout line(String type, String payload) {
    lines.add(
        "{\"timestamp\":\"2026-11-28T10:"
            + name.charAt(18)
            + "0:"
            + String.format("%02d", second++ % 60)
            + "Z\","
            + (numbered ? "\"ordinal\":" + ordinal++ + "," : "")
            + "\"type\":\""
            + type
            + "\",\"payload\":"
            + payload
            + "}");
    return this;
  }

  MadeRollout item(String payload) {
    return line("response_item", payload);
  }

  MadeRollout event(String payload) {
    return line("event_msg", payload);
  }

  /// A prompt as item and as event.
  MadeRollout user(String text) {
    item(message("user", "input_text", text));
    return event("{\"type\":\"user_message\",\"message\":\"" + text + "\"}");
  }

  /// An answer as event and as item.
  MadeRollout answer(String text) {
    event("{\"type\":\"agent_message\",\"message\":\"" + text + "\"}");
    return item(message("assistant", "output_text", text));
  }

  private static String message(String role, String kind, String text) {
    return "{\"type\":\"message\",\"role\":\""
        + role
        + "\",\"content\":[{\"type\":\""
        + kind
        + "\",\"text\":\""
        + text
        + "\"}]}";
  }

  /// The lines of another rollout with other times, as a fork of older versions repeated them.
  MadeRollout copyOf(MadeRollout other) {
    for (String each : other.lines) {
      lines.add(each.replaceFirst("T10:\\d\\d", "T12:00"));
    }
    return this;
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  /// The rollout in an agent's home.
  Path write(Path home) throws IOException {
    return write(home, "sessions/2026/11/28", ".jsonl", text().getBytes(StandardCharsets.UTF_8));
  }

  /// Any bytes under the rollout's name.
  Path write(Path home, String folder, String suffix, byte[] bytes) throws IOException {
    Path file = home.resolve(folder).resolve("rollout-" + name + suffix);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
    return file;
  }
}
