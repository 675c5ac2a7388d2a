// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.TurnId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Questions as people type them, over conversations of seven agents and some hundred turns beside
/// them that have the same frequent words: a right turn is among the first three hits.
final class LabelledQuestionsTest {

  private static final int QUESTIONS = 100;
  private static final int RIGHT_MIN = 95;
  private static final int HITS_LOOKED_AT = 3;
  private static final int OTHER_CONVERSATIONS = 60;
  private static final int OTHER_TURNS = 20;

  /// Words of other conversations: frequent ones, which the questions have too.
  private static final List<String> FREQUENT =
      List.of(
          "error",
          "test",
          "file",
          "connection",
          "pool",
          "server",
          "request",
          "failed",
          "main",
          "line",
          "cache",
          "token",
          "expired",
          "row",
          "open",
          "every",
          "index",
          "code",
          "exit",
          "old",
          "keep",
          "build",
          "memory",
          "path",
          "src",
          "java",
          "python",
          "version",
          "timeout",
          "key",
          "job",
          "run",
          "date",
          "time",
          "page",
          "name",
          "value",
          "list",
          "user",
          "login",
          "database",
          "transaction");

  @TempDir Path folder;

  private final Map<String, Set<TurnId>> labelled = new HashMap<>();
  private final Map<String, ContextId> contexts = new HashMap<>();

  /// A question.
  ///
  /// @param right the labels of the turns that answer the question
  private record Question(String kind, String query, List<String> right) {}

  @Test
  void aRightTurnIsAmongTheFirstThreeHits() throws IOException {
    try (FoundStore found = new FoundStore(folder.resolve("store"))) {
      Random random = new Random(15);
      writeOthers(found, random, OTHER_CONVERSATIONS / 2);
      for (List<String> row : rows("labelled-turns.tsv")) {
        write(found, row);
      }
      writeOthers(found, random, OTHER_CONVERSATIONS / 2);
      found.follow();

      List<Question> questions =
          rows("labelled-questions.tsv").stream()
              .map(row -> new Question(row.get(0), row.get(1), List.of(row.get(2).split(",", -1))))
              .toList();
      List<String> wrong = new ArrayList<>();
      for (Question question : questions) {
        if (!isAnswered(found, question)) {
          wrong.add(question.kind + ": " + question.query);
        }
      }

      assertThat(questions).hasSize(QUESTIONS);
      assertThat(wrong).hasSizeLessThanOrEqualTo(QUESTIONS - RIGHT_MIN);
    }
  }

  private boolean isAnswered(FoundStore found, Question question) {
    Set<TurnId> right = new HashSet<>();
    for (String label : question.right) {
      right.addAll(labelled.getOrDefault(label, Set.of()));
    }
    assertThat(right).as(question.query).isNotEmpty();
    SearchRequest request =
        SearchRequest.of(question.query, HITS_LOOKED_AT, FoundStore.NOW, ZoneOffset.UTC);
    return found.search.search(request).hits().stream()
        .anyMatch(hit -> right.contains(hit.place().turn()));
  }

  private static List<List<String>> rows(String resource) throws IOException {
    try (InputStream in = LabelledQuestionsTest.class.getResourceAsStream(resource)) {
      assertThat(in).as(resource).isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> Arrays.asList(line.split("\t", -1)))
          .toList();
    }
  }

  private void write(FoundStore found, List<String> row) {
    String label = row.get(0);
    String agent = row.get(1);
    String project = row.get(2);
    String branch = row.get(3);
    Instant at = FoundStore.NOW.minus(Duration.ofDays(Integer.parseInt(row.get(4))));
    ContextId context =
        contexts.computeIfAbsent(
            project + branch + row.get(4),
            _ ->
                found.context(
                    "{\"agent\":\"%s\",\"cwd\":\"/projects/%s\",\"branch\":\"%s\"}"
                        .formatted(agent, project, branch)));
    Set<TurnId> turns = new HashSet<>();
    for (String line : lines(label, row.get(5), row.get(6).split(" \\|\\| ", -1))) {
      turns.add(found.append(context, line, at));
    }
    labelled.put(label, turns);
  }

  /// The lines of a transcript that a turn is written as.
  private static List<String> lines(String id, String role, String[] parts) {
    String said = FoundStore.quote(parts[0]);
    return switch (role) {
      case "prompt" -> List.of(message("user", "{\"type\":\"text\",\"text\":%s}".formatted(said)));
      case "answer" ->
          List.of(message("assistant", "{\"type\":\"text\",\"text\":%s}".formatted(said)));
      case "thinking" ->
          List.of(message("assistant", "{\"type\":\"thinking\",\"thinking\":%s}".formatted(said)));
      case "edit" ->
          List.of(
              call(
                  id,
                  "Edit",
                  "{\"file_path\":%s,\"old_string\":%s,\"new_string\":%s}"
                      .formatted(said, FoundStore.quote(parts[1]), FoundStore.quote(parts[2]))));
      case "command" ->
          List.of(
              call(id, "Bash", "{\"command\":%s}".formatted(said)),
              "{\"type\":\"user\",\"toolUseResult\":{\"exitCode\":%s},\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"%s\",\"content\":%s}]}}"
                  .formatted(parts[2], id, FoundStore.quote(parts[1])));
      default -> throw new IllegalArgumentException(role);
    };
  }

  private static String message(String role, String block) {
    return "{\"type\":\"%s\",\"message\":{\"role\":\"%s\",\"content\":[%s]}}"
        .formatted(role, role, block);
  }

  private static String call(String id, String tool, String input) {
    return message(
        "assistant",
        "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":%s}"
            .formatted(id, tool, input));
  }

  private static void writeOthers(FoundStore found, Random random, int conversations) {
    for (int i = 0; i < conversations; i++) {
      String about =
          "{\"agent\":\"claude-code\",\"cwd\":\"/projects/other%d\",\"branch\":\"main\"}";
      ContextId context = found.context(about.formatted(random.nextInt(12)));
      for (int turn = 0; turn < OTHER_TURNS; turn++) {
        StringBuilder text = new StringBuilder();
        for (int word = 3 + random.nextInt(40); word > 0; word--) {
          text.append(FREQUENT.get(random.nextInt(FREQUENT.size()))).append(' ');
        }
        Instant at = FoundStore.NOW.minus(Duration.ofHours(random.nextInt(24 * 60)));
        String role = random.nextBoolean() ? "user" : "assistant";
        String block =
            "{\"type\":\"text\",\"text\":%s}".formatted(FoundStore.quote(text.toString()));
        found.append(context, message(role, block), at);
      }
    }
  }
}
