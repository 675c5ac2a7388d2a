// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A JP workspace and the user's own data, made up, in a folder of a test.
public final class JpFolders {

  public static final Instant NOW = Instant.parse("2026-06-10T12:00:00Z");
  public static final InstantSource CLOCK = InstantSource.fixed(NOW);

  private static final String METADATA =
      """
      {
        "title": "%s",
        "last_activated_at": "2026-06-01 10:00:00.0"
      }
      """;

  /// As little as JP accepts.
  private static final String BASE_CONFIG =
      """
      {
        "assistant": {"model": {"id": {"provider": "anthropic", "name": "claude"}}},
        "conversation": {"tools": {"*": {"run": "ask"}}}
      }
      """;

  private final Path folder;

  public JpFolders(Path folder) {
    this.folder = folder;
    write(storage().resolve(".id"), "An id, do not edit.\nab1cd");
    try {
      Files.createDirectories(storage().resolve("conversations"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path storage() {
    return folder.resolve("project").resolve(".jp");
  }

  public Path userData() {
    return folder.resolve("data");
  }

  /// The user-local root; it is there once something is written into it.
  public Path silo() {
    return userData().resolve("workspace").resolve("project-ab1cd");
  }

  public Workspace workspace() {
    return Workspace.find(folder.resolve("project"), userData());
  }

  public Conversation conversation(String digits) {
    return workspace().conversations(_ -> {}).stream()
        .filter(each -> each.id().digits().equals(digits))
        .findFirst()
        .orElseThrow();
  }

  /// Writes a conversation with the files of today's JP, an hour old.
  public Path add(Path root, String name, String events) {
    Path conversation = root.resolve("conversations").resolve(name);
    write(conversation.resolve("metadata.json"), METADATA.formatted(name));
    write(conversation.resolve("base_config.json"), BASE_CONFIG);
    write(conversation.resolve("events.json"), events);
    return conversation.resolve("events.json");
  }

  public static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /// An `events.json` as JP writes it, with one answer of a tool for each of `answers`.
  public static String events(String... answers) {
    StringBuilder json =
        new StringBuilder(
            """
            [
              {
                "timestamp": "2026-06-01 10:00:00.0",
                "type": "turn_start"
              },
              {
                "timestamp": "2026-06-01 10:00:01.0",
                "type": "chat_request",
                "content": "Look."
              }\
            """);
    int call = 0;
    for (String answer : answers) {
      json.append(
          """
          ,
            {
              "timestamp": "2026-06-01 10:00:02.0",
              "type": "tool_call_response",
              "id": "call_%s",
              "content": "%s",
              "is_error": false
            }\
          """
              .formatted(call++, base64(answer)));
    }
    return json.append("\n]\n").toString();
  }

  public static Path write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(3600)));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Every file below a folder: its path, its bytes, its time.
  public static Map<String, String> snapshot(Path folder) {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file :
          walk.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS)).toList()) {
        files.put(
            folder.relativize(file).toString(),
            Files.getLastModifiedTime(file)
                + " "
                + new String(Files.readAllBytes(file), ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }
}
