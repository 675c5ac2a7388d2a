// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// Transcripts in the shape of Claude Code's, made of the JDK's own sources (`lib/src.zip`): for
/// each part of a source file a prompt, a call that reads the part, the part as the result, a
/// command and an answer of sentences from the comments. The same seed and JDK give the same lines.
final class SourceTranscripts {

  private static final int PART_CHARS = 3_000;
  private static final int CONVERSATION_LINES = 250;

  private final Random random = new Random(15);
  private final Consumer<String> lines;
  private long bytes;
  private long count;

  private SourceTranscripts(Consumer<String> lines) {
    this.lines = lines;
  }

  /// Hands out lines of about so many bytes in all.
  ///
  /// @return the bytes of the lines
  static long write(long bytesMax, Consumer<String> lines) throws IOException {
    SourceTranscripts transcripts = new SourceTranscripts(lines);
    try (ZipFile sources =
        new ZipFile(Path.of(System.getProperty("java.home"), "lib", "src.zip").toFile())) {
      List<ZipEntry> files =
          sources.stream()
              .filter(entry -> entry.getName().endsWith(".java"))
              .sorted(Comparator.comparing(ZipEntry::getName))
              .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
      Collections.shuffle(files, new Random(15));
      for (ZipEntry file : files) {
        String text =
            new String(sources.getInputStream(file).readAllBytes(), StandardCharsets.UTF_8);
        for (int from = 0; from < text.length(); from += PART_CHARS) {
          if (transcripts.bytes >= bytesMax) {
            return transcripts.bytes;
          }
          transcripts.part(
              file.getName(), text.substring(from, Math.min(text.length(), from + PART_CHARS)));
        }
      }
    }
    return transcripts.bytes;
  }

  private void part(String path, String text) {
    String name = path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
    String sentences = text.replaceAll("(?m)^\\s*(?!\\*).*$", "").replaceAll("\\s*\\*\\s*", " ");
    String call = "toolu_%012d".formatted(count);
    say("user", "What does " + name + " do here, and is there an error in it?");
    block(
        "assistant",
        "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"Read\",\"input\":{\"file_path\":\"%s\",\"offset\":%d}}"
            .formatted(call, path, random.nextInt(5_000)));
    String escaped = escaped(text);
    line(
        "user",
        "{\"type\":\"tool_result\",\"tool_use_id\":\"%s\",\"content\":\"%s\"}"
            .formatted(call, escaped),
        ",\"toolUseResult\":{\"type\":\"text\",\"file\":{\"filePath\":\"%s\",\"content\":\"%s\"}}"
            .formatted(path, escaped));
    block(
        "assistant",
        "{\"type\":\"tool_use\",\"id\":\"%sb\",\"name\":\"Bash\",\"input\":{\"command\":\"grep -rn %s src | head -%d\"}}"
            .formatted(call, name, random.nextInt(90)));
    say("assistant", sentences.isBlank() ? name + " is fine." : sentences.strip());
  }

  private void say(String role, String text) {
    block(role, "{\"type\":\"text\",\"text\":\"%s\"}".formatted(escaped(text)));
  }

  private void block(String role, String block) {
    line(role, block, "");
  }

  private void line(String role, String block, String more) {
    long conversation = count / CONVERSATION_LINES;
    String line =
        ("{\"parentUuid\":\"%s\",\"isSidechain\":false,\"userType\":\"external\","
             + "\"cwd\":\"/projects/p%d\",\"sessionId\":\"%s\",\"version\":\"2.1.0\",\"gitBranch\":\"main\","
             + "\"type\":\"%s\",\"message\":{\"role\":\"%s\",\"content\":[%s]},\"uuid\":\"%s\","
             + "\"timestamp\":\"2026-11-%02dT%02d:%02d:00.000Z\"%s}")
            .formatted(
                id(count - 1),
                conversation % 40,
                id(conversation),
                role,
                role,
                block,
                id(count),
                1 + conversation % 28,
                count / 60 % 24,
                count % 60,
                more);
    count++;
    bytes += line.length() + 1;
    lines.accept(line);
  }

  private static String id(long number) {
    return new UUID(number * 0x9E3779B97F4A7C15L, ~number).toString();
  }

  /// A text as JSON writes strings.
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + text.length() / 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> escaped.append('\\').append(c);
        case '\n' -> escaped.append("\\n");
        case '\t' -> escaped.append("\\t");
        default -> escaped.append(c < ' ' ? String.format("\\u%04x", (int) c) : c);
      }
    }
    return escaped.toString();
  }

  /// The number of the conversation of a line.
  static long conversation(long line) {
    return line / CONVERSATION_LINES;
  }
}
