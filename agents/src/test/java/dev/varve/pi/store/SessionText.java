// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A session file made by hand, line by line.
public final class SessionText {

  public static final String SESSION = "01a21eba-1719-70e6-9675-eb1bac3ffbc3";

  private final List<String> lines = new ArrayList<>();

  /// Begins with a header of version 3.
  public static SessionText headed() {
    return headed(SESSION);
  }

  public static SessionText headed(String id) {
    return new SessionText()
        .line(
            ("{\"type\":\"session\",\"version\":3,\"id\":\"%s\","
                    + "\"timestamp\":\"2026-11-27T20:37:22.939Z\",\"cwd\":\"/src/demo\"}")
                .formatted(id));
  }

  /// Two entries, the second one below the first.
  public static SessionText two() {
    return headed().user("a", null, "one").user("b", "a", "two");
  }

  /// Three entries, each below the one before.
  public static SessionText three() {
    return headed().user("a", null, "x").user("b", "a", "y").user("c", "b", "z");
  }

  public SessionText line(String line) {
    lines.add(line);
    return this;
  }

  /// A user's message.
  public SessionText user(String id, String parent, String text) {
    return line(entry(id, parent, text));
  }

  public static String entry(String id, String parent, String text) {
    return ("{\"type\":\"message\",\"id\":\"%s\",\"parentId\":%s,"
            + "\"timestamp\":\"2026-11-27T20:37:22.033Z\","
            + "\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}}")
        .formatted(id, parent == null ? "null" : "\"" + parent + "\"", text);
  }

  /// An answer without content that is complete.
  public static String answer(String id, String parent) {
    return ("{\"type\":\"message\",\"id\":\"%s\",\"parentId\":\"%s\","
            + "\"timestamp\":\"2026-11-27T20:37:22.033Z\","
            + "\"message\":{\"role\":\"assistant\",\"content\":[],\"stopReason\":\"stop\"}}")
        .formatted(id, parent);
  }

  public List<String> lines() {
    return lines;
  }

  /// Each line followed by a line feed.
  public byte[] bytes() {
    return (String.join("\n", lines) + (lines.isEmpty() ? "" : "\n"))
        .getBytes(StandardCharsets.UTF_8);
  }

  public Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }
}
