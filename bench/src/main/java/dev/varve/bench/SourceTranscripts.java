// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;

/// Transcripts in the shape of Claude Code's, made of [SourceParts]: for each part of a source file
/// a prompt, a call that reads the part, the part as the result, a command and an answer of
/// sentences from the comments. The same JDK gives the same lines.
final class SourceTranscripts {

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
    SourceParts.each(
        (path, text) -> {
          if (transcripts.bytes >= bytesMax) {
            return false;
          }
          transcripts.part(path, text);
          return true;
        });
    return transcripts.bytes;
  }

  private void part(String path, String text) {
    String name = path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
    String sentences = SourceParts.sentences(text);
    String call = "toolu_%012d".formatted(count);
    say("user", "What does " + name + " do here, and is there an error in it?");
    block(
        "assistant",
        "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"Read\",\"input\":{\"file_path\":\"%s\",\"offset\":%d}}"
            .formatted(call, path, random.nextInt(5_000)));
    String escaped = SourceParts.escaped(text);
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
    say("assistant", sentences.isEmpty() ? name + " is fine." : sentences);
  }

  private void say(String role, String text) {
    block(role, "{\"type\":\"text\",\"text\":\"%s\"}".formatted(SourceParts.escaped(text)));
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

  /// The number of the conversation of a line.
  static long conversation(long line) {
    return line / CONVERSATION_LINES;
  }

  /// The session of a conversation.
  static String session(long conversation) {
    return id(conversation);
  }
}
