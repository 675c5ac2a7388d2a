// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A small session of Pi, written by hand.
final class PiSession {

  private final List<String> lines = new ArrayList<>();

  static PiSession headed() {
    return new PiSession()
        .line(
            """
            {"type":"session","version":3,"id":"01a21eba-2440-7602-a200-36c2c6a55f2d",\
            "timestamp":"2026-01-05T09:00:00.000Z","cwd":"/src/shop"}\
            """);
  }

  PiSession line(String line) {
    lines.add(line);
    return this;
  }

  /// An entry of any type.
  PiSession entry(String type, String id, String parent, String fields) {
    return line(
        "{\"type\":\"%s\",\"id\":\"%s\",\"parentId\":%s,\"timestamp\":\"2026-01-05T09:%02d:00.000Z\"%s}"
            .formatted(
                type,
                id,
                parent == null ? "null" : "\"" + parent + "\"",
                lines.size() % 60,
                fields));
  }

  PiSession message(String role, String id, String parent, String text) {
    String message =
        "\"message\":{\"role\":\"%s\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}"
            .formatted(role, text);
    return entry("message", id, parent, "," + message);
  }

  /// One with all that a tree shows.
  static PiSession rich() {
    return headed()
        .entry("model_change", "00000001", null, ",\"provider\":\"acme\",\"modelId\":\"small\"")
        .message("user", "00000002", "00000001", "Why do the tests fail?")
        .message("assistant", "00000003", "00000002", "A date is wrong.")
        .message("user", "00000004", "00000003", "Fix it.")
        .message("assistant", "00000005", "00000004", "Fixed.")
        .entry("label", "00000006", "00000005", ",\"targetId\":\"00000005\",\"label\":\"works\"")
        .message("user", "00000007", "00000003", "Change the tests instead.")
        .message("assistant", "00000008", "00000007", "Changed.")
        .entry("compaction", "00000009", "00000008", ",\"summary\":\"Dates.\",\"tokensBefore\":9")
        .entry("session_info", "0000000a", "00000009", ",\"name\":\"Due dates\"")
        .message("user", "0000000b", "gone0000", "Lost words");
  }

  byte[] bytes() {
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }
}
