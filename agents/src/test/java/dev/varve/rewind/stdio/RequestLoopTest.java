// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.rewind.Repo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RequestLoopTest {

  @TempDir Path place;
  private Path folder;

  @BeforeEach
  void makeARepository() throws Exception {
    Repo repo = Repo.in(place);
    folder = repo.root();
    repo.write("a", "1");
    repo.write("b", "1");
  }

  private List<String> serve(String... requests) {
    return answers(new TestHost(folder, place.resolve("agent")), requests);
  }

  private static List<String> answers(RewindHost host, String... requests) {
    List<String> answers = new ArrayList<>();
    try {
      new RequestLoop(host, RequestLoopTest::status)
          .run(new ByteArrayInputStream(String.join("\n", requests).getBytes(UTF_8)), answers::add);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(answers).hasSameSizeAs(requests);
    return answers;
  }

  private static int status(RuntimeException error) {
    return switch (error) {
      case StoreException.NotFound _ -> 1;
      case StoreException _ -> 2;
      default -> 70;
    };
  }

  @Test
  void requestsAreAnsweredInTheirOrder() throws IOException {
    String first = serve("{\"id\":1,\"do\":\"capture\",\"note\":\"turn 1\"}").getFirst();
    Files.writeString(folder.resolve("a"), "2");
    Files.writeString(folder.resolve("b"), "2");

    List<String> answers =
        serve(
            "{\"id\":\"x\",\"do\":\"hello\"}",
            "{\"id\":\"p\",\"do\":\"plan\",\"snapshot\":\"@0\"}",
            "{\"id\":\"n\",\"do\":\"restore\",\"snapshot\":\"@0\",\"paths\":[]}",
            "{\"id\":\"r\",\"do\":\"restore\",\"snapshot\":\"@0\",\"paths_escaped\":[\"%61\"]}",
            "{\"id\":\"l\",\"do\":\"list\",\"limit\":1}");

    assertThat(first).contains("\"id\":\"1\",\"ok\":true").contains("\"note\":\"turn 1\"");
    assertThat(answers.get(0)).contains("\"protocol\":2");
    assertThat(answers.get(1)).contains("\"changes\":2");
    assertThat(answers.get(2)).contains("\"exact\":true").contains("\"changes\":0");
    assertThat(answers.get(3)).contains("\"exact\":true").contains("\"changes\":1");
    assertThat(answers.get(4)).contains("\"count\":3");
    assertThat(Files.readString(folder.resolve("a"))).isEqualTo("1");
    assertThat(Files.readString(folder.resolve("b"))).isEqualTo("2");
    assertThat(serve("{\"do\":\"undo\"}", "{\"do\":\"redo\"}", "{\"do\":\"begun\"}"))
        .allMatch(line -> line.contains("\"ok\":true"));
  }

  @Test
  void whatIsWrongIsAnsweredAndTheNextRequestGoesOn() {
    List<String> answers =
        serve(
            "nonsense",
            "[]",
            "{\"id\":\"1\",\"do\":\"fly\"}",
            "{\"id\":\"2\",\"do\":\"restore\"}",
            "{\"id\":\"3\",\"do\":\"show\",\"snapshot\":\"@9\"}",
            "{\"id\":\"4\",\"do\":\"plan\",\"snapshot\":{\"deep\":[[[[[[1]]]]]]}}",
            "{\"id\":\"5\",\"do\":\"list\",\"limit\":\"-1\"}",
            "{\"id\":\"6\",\"do\":\"restore\",\"snapshot\":\"--help\"}",
            "{\"id\":\"7\",\"do\":\"undo\"}",
            "{\"id\":\"8\",\"do\":\"hello\"}");

    assertThat(answers.subList(0, 9))
        .allMatch(line -> line.contains("\"ok\":false") && line.contains("\"error\":\""))
        .noneMatch(line -> line.contains("\"status\":70"));
    assertThat(answers.getLast()).contains("\"id\":\"8\",\"ok\":true");
  }

  private static final String USER =
      "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"role\":\"user\"}";
  private static final String SAID =
      "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"assistant\","
          + "\"content\":[{\"x\":[[[]]]}]}}";

  @Test
  void aSessionIsFollowedAndItsFilesComeBack() throws IOException {
    String start = "{\"do\":\"session\",\"session_id\":\"s\",\"reason\":\"%s\",\"settings\":{}}";
    String begun =
        serve(String.format(start, "new"), "{\"do\":\"prompt\",\"leaf\":null}").getFirst();
    Files.writeString(folder.resolve("a"), "2");

    List<String> answers =
        serve(
            String.format(start, "restart"),
            "{\"do\":\"turn_end\",\"leaf\":\"b\",\"entries\":[" + USER + "," + SAID + "]}",
            "{\"do\":\"agent_end\",\"leaf\":\"b\"}",
            "{\"do\":\"points\",\"leaf\":\"b\"}",
            "{\"do\":\"plan\",\"entry\":\"a\"}",
            "{\"do\":\"fork_choices\",\"entry\":\"a\",\"leaf\":\"b\"}",
            "{\"do\":\"fork_choices\",\"entry\":\"b\",\"leaf\":\"b\",\"position\":\"at\"}",
            "{\"do\":\"tree_choices\",\"entry\":\"a\",\"leaf\":\"b\"}",
            "{\"do\":\"choose\",\"menu\":\"fork\",\"entry\":\"a\",\"leaf\":\"b\"}",
            "{\"do\":\"choose\",\"menu\":\"fork\",\"entry\":\"a\",\"leaf\":\"b\",\"option\":\"code-only\"}",
            "{\"do\":\"compacted\",\"entry\":\"b\",\"leaf\":\"b\"}",
            "{\"do\":\"tree_done\",\"leaf\":\"b\"}",
            "{\"do\":\"shutdown\"}");

    assertThat(answers).allMatch(answer -> answer.contains("\"ok\":true"));
    assertThat(begun).contains("\"enabled\":true").contains("◆ 0 points / 0 snapshots");
    assertThat(answers.get(1))
        .contains("\"customType\":\"rewind-turn\",\"data\":{\"v\":2,")
        .contains("\"status\":\"◆ 2 points / 2 snapshots\"");
    assertThat(answers.get(3)).contains("\"count\":2").contains("\"entry\":\"a\"");
    assertThat(answers.get(4)).contains("\"changes\":1");
    assertThat(answers.get(5))
        .contains("\"ask\":true")
        .contains("Restore all (files + conversation)")
        .contains("Change: a.");
    assertThat(answers.get(6)).contains("\"ask\":false");
    assertThat(answers.get(7))
        .contains("Keep current files")
        .contains("Restore files to that point");
    assertThat(answers.get(8)).contains("\"cancel\":true");
    assertThat(answers.get(9))
        .contains("\"cancel\":true")
        .contains("\"exact\":true")
        .contains("rewind-op");
    assertThat(Files.readString(folder.resolve("a"))).isEqualTo("1");

    Files.writeString(folder.resolve("b"), "2");
    Matcher mark = Pattern.compile("\"append\":\\[\\{(.*?\\})\\}\\]").matcher(answers.get(9));
    assertThat(mark.find()).isTrue();
    String appended = "{\"type\":\"custom\",\"id\":\"c\",\"parentId\":\"b\"," + mark.group(1) + "}";
    List<String> back =
        serve(
            String.format(start, "restart"),
            "{\"do\":\"points\",\"leaf\":\"b\",\"entries\":["
                + String.join(",", USER, SAID, appended)
                + "]}",
            "{\"do\":\"plan_undo\"}",
            "{\"do\":\"plan_undo\",\"menu\":\"command\",\"leaf\":\"b\"}",
            "{\"do\":\"plan_redo\",\"menu\":\"command\",\"leaf\":\"b\"}",
            "{\"do\":\"choose\",\"menu\":\"command\",\"option\":\"undo\",\"leaf\":\"b\"}");
    assertThat(back.get(1)).contains("\"undo\":true,\"redo\":false");
    assertThat(back.get(2)).as("of what the restore changed").contains("\"changes\":1");
    assertThat(back.get(3)).as("of all, as the choice does").contains("\"changes\":2");
    assertThat(back.get(4)).contains("\"ok\":false,\"status\":1");
    assertThat(back.get(5)).contains("\"exact\":true").contains("\"changes\":2");
    assertThat(Files.readString(folder.resolve("b"))).isEqualTo("1");
  }

  @Test
  void aPlanHasItsSizeInWordsWhereTheRequestAsksForIt() throws IOException {
    Files.writeString(folder.resolve("both"), "1\n2\n3\n");
    serve("{\"do\":\"capture\"}");
    Files.writeString(folder.resolve("both"), "1\n2\nthree\nfour\n");
    Files.write(folder.resolve("bytes"), new byte[] {0, 1, 2});
    Files.writeString(folder.resolve("tab\tand\nline"), "1\n");
    Files.delete(folder.resolve("a"));

    List<String> answers =
        serve(
            "{\"do\":\"plan\",\"snapshot\":\"@0\"}",
            "{\"do\":\"plan\",\"snapshot\":\"@0\",\"size\":true}",
            "{\"do\":\"plan\",\"snapshot\":\"@0\",\"size\":true,\"paths\":[\"bytes\"]}",
            "{\"do\":\"plan\",\"snapshot\":\"@0\",\"size\":\"yes\"}");

    assertThat(answers.get(0)).contains("\"size\":null");
    assertThat(answers.get(1))
        .contains(
            "\"size\":\"Paths: 1 brought back, 1 changed, 2 deleted. Lines: 2 added, 3 removed.\"");
    assertThat(answers.get(2))
        .contains("\"size\":\"Paths: 1 deleted. Lines: 0 added, 0 removed.\"");
    assertThat(answers.get(3)).contains("\"ok\":false,\"status\":2");
  }

  /// A session that is gone on with in another worktree of the repository.
  @Test
  void aPointOfAnotherWorktreeIsNamedAsTheOthers() throws IOException {
    Repo repo = Repo.in(place);
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-qm", "first");
    Path linked = place.resolve("linked");
    repo.git("worktree", "add", "-q", linked.toString());
    String start = "{\"do\":\"session\",\"session_id\":\"s\",\"settings\":{}";
    List<String> there =
        answers(
            new TestHost(linked, place.resolve("agent")),
            start + "}",
            "{\"do\":\"prompt\",\"leaf\":null}",
            "{\"do\":\"turn_end\",\"leaf\":\"b\",\"entries\":[" + USER + "," + SAID + "]}");
    Matcher mark = Pattern.compile("\"append\":\\[\\{(.*?\\})\\}\\]").matcher(there.get(2));
    assertThat(mark.find()).isTrue();
    String appended = "{\"type\":\"custom\",\"id\":\"c\",\"parentId\":\"b\"," + mark.group(1) + "}";

    List<String> here =
        serve(
            start + ",\"entries\":[" + String.join(",", USER, SAID, appended) + "]}",
            "{\"do\":\"points\",\"leaf\":\"c\"}",
            "{\"do\":\"fork_choices\",\"entry\":\"a\",\"leaf\":\"c\"}",
            "{\"do\":\"tree_choices\",\"entry\":\"b\",\"leaf\":\"c\"}",
            "{\"do\":\"plan\",\"entry\":\"a\"}");

    assertThat(here.get(1))
        .contains("\"count\":0,\"list\":[]")
        .contains("\"elsewhere\":[{\"worktree\":\"linked\",\"points\":2}]");
    assertThat(here.subList(2, 4))
        .allMatch(menu -> menu.contains("The files of this point are in the worktree 'linked'."))
        .noneMatch(menu -> menu.contains("\"restore\"") || menu.contains("restore-all"));
    assertThat(here.get(4)).contains("\"ok\":false,\"status\":1");
  }

  @Test
  void whatIsWrongAboutASessionIsAnswered() {
    assertThat(
            serve(
                "{\"do\":\"prompt\"}",
                "{\"do\":\"session\"}",
                "{\"do\":\"session\",\"session_id\":\"s\",\"session_file\":\"\\u0000\"}",
                "{\"do\":\"session\",\"session_id\":\"s\",\"entries\":[7]}",
                "{\"do\":\"session\",\"session_id\":\"s\",\"entries\":[{}]}",
                "{\"do\":\"choose\"}"))
        .allMatch(answer -> answer.contains("\"ok\":false,\"status\":2"));
    assertThat(
            serve(
                    "{\"do\":\"session\",\"session_id\":\"s\"}",
                    "{\"do\":\"choose\",\"menu\":\"fork\",\"option\":\"fly\"}",
                    "{\"do\":\"choose\",\"menu\":\"sky\"}",
                    "{\"do\":\"choose\",\"menu\":\"tree\",\"entry\":\"x\",\"option\":\"restore\"}",
                    "{\"do\":\"plan\",\"entry\":\"x\"}",
                    "{\"do\":\"fork_choices\"}")
                .subList(1, 6))
        .allMatch(answer -> answer.contains("\"ok\":false"))
        .noneMatch(answer -> answer.contains("\"status\":70"));
  }

  @Test
  void oldSnapshotsGoWhenASessionEnds(@TempDir Path agent) throws IOException {
    Path sessions = Files.createDirectories(agent.resolve("sessions"));
    Path file = sessions.resolve("s.jsonl");
    StringBuilder marks = new StringBuilder("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
    for (int i = 0; i < 3; i++) {
      Files.writeString(folder.resolve("a"), "old " + i);
      Matcher snapshot =
          Pattern.compile("\"snapshot\":\"([0-9a-f]+)\"")
              .matcher(serve("{\"do\":\"capture\"}").getFirst());
      assertThat(snapshot.find()).isTrue();
      marks.append(
          String.format(
              "{\"type\":\"custom\",\"customType\":\"rewind-op\",\"data\":{\"v\":2,\"snapshots\":[\"%s\"],"
                  + "\"current\":0},\"id\":\"%d\",\"parentId\":null}%n",
              snapshot.group(1), i));
    }
    Files.writeString(file, marks.toString());

    serve(
        "{\"do\":\"session\",\"session_id\":\"s\",\"agent_dir\":\""
            + agent
            + "\",\"session_file\":\""
            + file
            + "\",\"reason\":\"resume\",\"settings\":{\"retention\":{\"maxSnapshots\":1}}}",
        "{\"do\":\"shutdown\"}");

    assertThat(serve("{\"do\":\"list\"}").getFirst()).contains("\"count\":2");
  }

  @Test
  void outsideAWorktreeASessionHasNothingToDo(@TempDir Path elsewhere) {
    List<String> answers =
        answers(
            new TestHost(elsewhere, elsewhere),
            "{\"do\":\"session\",\"session_id\":\"s\"}",
            "{\"do\":\"prompt\"}",
            "{\"do\":\"turn_end\"}",
            "{\"do\":\"fork_choices\",\"entry\":\"a\"}",
            "{\"do\":\"choose\",\"menu\":\"fork\",\"option\":\"conversation-only\"}",
            "{\"do\":\"capture\"}");

    assertThat(answers.subList(0, 5))
        .allMatch(line -> line.contains("\"ok\":true") && line.contains("\"append\":[]"));
    assertThat(answers.getFirst()).contains("\"enabled\":false").contains("\"status\":null");
    assertThat(answers.get(3)).contains("\"ask\":false");
    assertThat(answers.get(4)).contains("\"cancel\":false");
    assertThat(answers.getLast()).contains("\"ok\":false,\"status\":1");
  }

  @Test
  void aLineThatIsTooLongEndsTheLoop() {
    String line = "{\"do\":\"hello\",\"note\":\"" + "x".repeat(4 << 20) + "\"}";

    assertThatThrownBy(() -> serve(line)).isInstanceOf(StoreException.TooLarge.class);
  }

  @Test
  void aSessionThatWantsItsSnapshotsElsewhereFindsThemThereFromThenOn() throws IOException {
    String outside =
        "{\"do\":\"session\",\"session_id\":\"s\",\"settings\":{\"store\":\"outside\"}}";
    String first = serve("{\"do\":\"capture\"}").getFirst();

    List<String> answers = serve(outside, "{\"do\":\"list\"}", outside, "{\"do\":\"list\"}");

    assertThat(answers).allMatch(answer -> answer.contains("\"ok\":true"));
    assertThat(answers.get(1)).contains("\"count\":1").contains(first.substring(20, 70));
    assertThat(answers.get(3)).contains("\"count\":1");
    assertThat(place.resolve("agent/outside/objects")).isDirectory();
  }

  @Test
  void aSessionMayKeepItsFilesInTheStore() throws IOException {
    List<String> answers =
        serve(
            "{\"do\":\"session\",\"session_id\":\"s\",\"settings\":{\"mode\":\"native\"}}",
            "{\"do\":\"capture\"}");

    assertThat(answers).allMatch(answer -> answer.contains("\"ok\":true"));
    assertThat(place.resolve("agent/store")).isDirectory();
  }

  @Test
  void thePageNamesEveryRequestAndField() throws IOException {
    String page = Files.readString(Path.of(System.getProperty("root.dir"), "docs", "stdio.md"));
    List<String> answers =
        serve(
            "{\"do\":\"capture\"}",
            "{\"do\":\"hello\"}",
            "{\"do\":\"look\"}",
            "{\"do\":\"list\"}",
            "{\"do\":\"plan\",\"snapshot\":\"@0\"}",
            "{\"do\":\"restore\",\"snapshot\":\"@0\"}",
            "{\"do\":\"begun\"}",
            "{\"do\":\"undo\"}",
            "{\"do\":\"session\",\"session_id\":\"s\",\"settings\":{\"retention\":7}}",
            "{\"do\":\"prompt\"}",
            "{\"do\":\"turn_end\",\"leaf\":\"b\",\"entries\":[" + USER + "," + SAID + "]}",
            "{\"do\":\"fork_choices\",\"entry\":\"a\"}",
            "{\"do\":\"choose\",\"menu\":\"tree\",\"entry\":\"a\",\"option\":\"restore\"}",
            "{\"do\":\"points\",\"leaf\":\"b\"}");

    for (String answer : answers) {
      Matcher field = Pattern.compile("\"([a-z_]+)\":").matcher(answer);
      while (field.find()) {
        assertThat(page).contains("`" + field.group(1) + "`");
      }
    }
  }

  @Test
  void aFieldOfTheWrongKindIsNotTakenForOneThatIsNotThere() throws IOException {
    serve("{\"do\":\"capture\"}");
    Files.writeString(folder.resolve("a"), "2");
    String restore = "{\"do\":\"restore\",\"snapshot\":\"@0\",";

    List<String> answers =
        serve(
            restore + "\"paths\":\"b\",\"id\":\"1\"}",
            restore + "\"paths_escaped\":{\"b\":1},\"id\":\"2\"}",
            restore + "\"keep_edits\":\"yes\",\"id\":\"3\"}",
            restore + "\"settings\":\"native\",\"id\":\"4\"}",
            restore + "\"entries\":true,\"id\":\"5\"}",
            restore + "\"paths\":[7],\"id\":\"6\"}");

    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i)).contains("\"id\":\"" + (i + 1) + "\",\"ok\":false,\"status\":2");
    }
    assertThat(Files.readString(folder.resolve("a"))).isEqualTo("2");
  }
}
