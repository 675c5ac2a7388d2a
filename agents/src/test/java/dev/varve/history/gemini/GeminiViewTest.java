// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import static dev.varve.history.gemini.MadeLog.answer;
import static dev.varve.history.gemini.MadeLog.begun;
import static dev.varve.history.gemini.MadeLog.calls;
import static dev.varve.history.gemini.MadeLog.info;
import static dev.varve.history.gemini.MadeLog.rebuilt;
import static dev.varve.history.gemini.MadeLog.rebuiltStep;
import static dev.varve.history.gemini.MadeLog.surroundings;
import static dev.varve.history.gemini.MadeLog.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.history.Archive;
import dev.varve.history.SessionAbout;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The turns that are made of a session of Gemini CLI, with the mistakes that readers are known to
/// make.
class GeminiViewTest {

  @TempDir Path folder;
  private final Archive archive = Archive.of(new GeminiProfile());

  private Path home() {
    return folder.resolve(".gemini");
  }

  private ImportReport take(MadeLog log) throws IOException {
    return archive.take(log.write(home()));
  }

  /// The turns of the only context, as their ids.
  private List<String> only(ImportReport report) {
    assertThat(report.contexts().all()).hasSize(1);
    return ids(report.contexts().all().getFirst());
  }

  private List<String> ids(ContextId context) {
    return archive.texts(context).stream()
        .map(text -> text.replaceFirst("(?s).*?\"id\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private static String[] all(String first, String[]... rest) {
    List<String> messages = new ArrayList<>(List.of(first));
    for (String[] each : rest) {
      messages.addAll(List.of(each));
    }
    return messages.toArray(String[]::new);
  }

  @Test
  void aSessionIsOneLineOfTurns() throws IOException {
    ImportReport report = take(begun().step("1"));

    assertThat(only(report)).containsExactly("ctx", "u1", "c1", "r1", "a1");
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly(
            "gemini.context",
            "gemini.user",
            "gemini.assistant",
            "gemini.result",
            "gemini.assistant");
    assertThat(report.problems().count()).isZero();
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(view.folder()).as("the one of the project's hash").isEqualTo(MadeLog.FOLDER);
    assertThat(view.title()).isEqualTo("ask 1");
    assertThat(view.session()).isEqualTo(MadeLog.ID);
  }

  @Test
  void everyRecordIsCountedOnce() throws IOException {
    ImportReport report =
        take(begun().step("1").list(all(surroundings(), rebuiltStep("1"))).line("{\"new\":1}"));

    // 2 lines before the step, 1 message in a list; 5 of the step; a list with 6 messages; 1
    assertThat(report.records().records()).isEqualTo(3 + 5 + 1 + 6 + 1);
    assertThat(report.records().turnsNew()).isEqualTo(5);
    assertThat(report.records().duplicates()).isEqualTo(6);
    assertThat(report.records().bookkeeping()).isEqualTo(2 + 1 + 1 + 1);
    assertThat(report.records().unreadable()).isZero();
  }

  @Test
  void aLaterVersionOfAMessageIsNotAppendedAgain() throws IOException {
    String said = answer("c1", "three calls", "");
    ImportReport report =
        take(
            begun()
                .line(user("u1", "go"))
                .line(said)
                .line(answer("c1", "three calls", calls("k1")))
                .line(answer("c1", "three calls", calls("k1")))
                .line(answer("a1", "done", "")));

    ContextId context = report.contexts().all().getFirst();
    assertThat(only(report)).containsExactly("ctx", "u1", "c1", "c1", "a1");
    assertThat(archive.texts(context)).filteredOn(text -> text.contains("three calls")).hasSize(1);
    assertThat(archive.texts(context)).filteredOn(text -> text.contains("toolCalls")).hasSize(1);
    assertThat(report.records().duplicates()).isEqualTo(1);
  }

  @Test
  void aMessageWhoseTextWasChangedKeepsItsPlaceInABranch() throws IOException {
    ImportReport report =
        take(
            begun()
                .line(user("u1", "go"))
                .line(answer("a1", "no", ""))
                .line(answer("a1", "y", "")));

    assertThat(report.contexts().all()).hasSize(2);
    assertThat(report.contexts().all()).allMatch(each -> archive.turns(each).size() == 3);
  }

  @Test
  void aSyncBetweenTheVersionsOfAnAnswerLeavesNoBranch() throws IOException {
    MadeLog log = begun().line(user("u1", "go")).line(answer("c1", "", ""));
    assertThat(only(take(log))).containsExactly("ctx", "u1");
    log.line(answer("c1", "", calls("k1"))).line(answer("a1", "looking", ""));
    take(log);

    ImportReport report = take(log.line(answer("a1", "looking", calls("k2"))));

    assertThat(only(report)).containsExactly("ctx", "u1", "c1", "a1", "a1");
  }

  @Test
  void aResumeInTheSameMinuteGoesOnInTheSameLine() throws IOException {
    ImportReport report =
        take(
            begun()
                .step("1")
                .meta()
                .list(surroundings())
                .line("{\"$set\":{\"sessionId\":\"" + MadeLog.ID + "\"}}")
                .list(all(surroundings(), rebuiltStep("1")))
                .step("2"));

    assertThat(only(report)).containsExactly("ctx", "u1", "c1", "r1", "a1", "u2", "c2", "r2", "a2");
    assertThat(archive.texts(report.contexts().all().getFirst()))
        .as("calls that the list lacks")
        .filteredOn(text -> text.contains("toolCalls"))
        .hasSize(2);
  }

  @Test
  void aLogThatIsCutWithinAResumeHasAllItsTurns() throws IOException {
    ImportReport report = take(begun().step("1").meta().list(surroundings()));

    assertThat(only(report)).hasSize(5);
  }

  @Test
  void aRewindIsABranch() throws IOException {
    ImportReport report =
        take(
            begun()
                .step("1")
                .step("2")
                .line("{\"$rewindTo\":\"u2\"}")
                .list(rebuiltStep("1"))
                .step("3"));

    assertThat(report.contexts().all()).hasSize(2);
    assertThat(report.contexts().all())
        .extracting(this::ids)
        .containsExactlyInAnyOrder(
            List.of("ctx", "u1", "c1", "r1", "a1", "u2", "c2", "r2", "a2"),
            List.of("ctx", "u1", "c1", "r1", "a1", "u3", "c3", "r3", "a3"));
  }

  @Test
  void aRewindToAnUnknownMessageDropsAllAndLosesNothing() throws IOException {
    ImportReport report =
        take(begun().step("1").line("{\"$rewindTo\":\"nowhere\"}").line(user("u2", "anew")));

    assertThat(report.contexts().all())
        .extracting(this::ids)
        .containsExactlyInAnyOrder(List.of("ctx", "u1", "c1", "r1", "a1"), List.of("u2"));
  }

  @Test
  void aCompressionIsJoinedToTheHistoryBefore() throws IOException {
    String summary = user("s1", "<state_snapshot>all so far");
    MadeLog log =
        begun()
            .step("1")
            .list(surroundings(), summary, rebuilt("g1", "Got it."))
            .line(info("i1", "Context compressed"))
            .step("2");
    log.list(
        all(surroundings(), new String[] {summary, rebuilt("g1", "Got it.")}, rebuiltStep("2")));

    ImportReport report = take(log.line(user("u3", "next")));

    assertThat(only(report))
        .containsExactly(
            "ctx", "u1", "c1", "r1", "a1", "s1", "g1", "i1", "u2", "c2", "r2", "a2", "u3");
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .filteredOn(turn -> turn.type().id().equals("gemini.compaction"))
        .hasSize(1);
  }

  @Test
  void aSavedPointIsAConversationOfItsOwn() throws IOException {
    String begin = user("p1", "<session_context>\\nand the old prompt");
    ImportReport report =
        take(
            begun()
                .step("1")
                .line(begin)
                .line(rebuilt("p2", "said 1"))
                .list(begin, rebuilt("p2", "said 1"))
                .step("2"));

    assertThat(report.contexts().all())
        .extracting(this::ids)
        .containsExactlyInAnyOrder(
            List.of("ctx", "u1", "c1", "r1", "a1"), List.of("p1", "p2", "u2", "c2", "r2", "a2"));
  }

  @Test
  void aPromptThatWasCancelledIsABranchAndNoticesStay() throws IOException {
    ImportReport report =
        take(
            begun()
                .step("1")
                .line(info("i1", "saved"))
                .line(user("u2", "slow"))
                .line(info("i2", "Request cancelled."))
                .list(all(surroundings(), rebuiltStep("1")))
                .step("3"));

    assertThat(report.contexts().all())
        .extracting(this::ids)
        .containsExactlyInAnyOrder(
            List.of("ctx", "u1", "c1", "r1", "a1", "i1", "u2", "i2"),
            List.of("ctx", "u1", "c1", "r1", "a1", "i1", "u3", "c3", "r3", "a3"));
  }

  @Test
  void usageCountsEachResponseOnceThoughListsDropIt() throws IOException {
    ImportReport report =
        take(begun().step("1").list(all(surroundings(), rebuiltStep("1"))).line(user("u2", "x")));

    assertThat(archive.store().get(archive.session(report).about().usage()).text())
        .isEqualTo(
            "[{\"key\":\"c1\",\"input\":9,\"cached\":1,\"output\":5},"
                + "{\"key\":\"a1\",\"input\":9,\"cached\":1,\"output\":5}]");
  }

  @Test
  void theSummaryIsTheTitle() throws IOException {
    ImportReport report =
        take(
            begun()
                .step("1")
                .line("{\"$set\":{\"summary\":\"The shop\",\"memoryScratchpad\":{}}}"));

    assertThat(archive.session(report).about().view().title()).isEqualTo("The shop");
  }

  @Test
  void aDocumentOfAnOlderVersionIsRead() throws IOException {
    String text =
        "{\n"
            + "  \"sessionId\": \"old\",\n"
            + "  \"startTime\": \"2024-01-01T10:00:00Z\",\n"
            + "  \"messages\": [\n"
            + "    "
            + user("u1", "go").replace(",", ",\n    ")
            + ",\n    "
            + answer("a1", "done", calls("k1")).replace(",\"", ",\n    \"")
            + "\n  ]\n}";
    Path file = home().resolve("tmp/shop/chats").resolve(MadeLog.NAME + ".json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);

    ImportReport report = archive.take(file);

    assertThat(only(report)).containsExactly("u1", "a1");
    assertThat(report.records().records()).isEqualTo(3);
    archive.comesBack(report, home(), folder.resolve("back"));

    Files.writeString(file, text.substring(0, text.length() - 40));
    assertThat(archive.take(file).outcome()).as("torn").isEqualTo(Outcome.OLDER);
  }

  @Test
  void aTornTailIsKeptAndTheLineThatIsGluedToItIsReported() throws IOException {
    String whole = begun().step("1").text();
    Path file = begun().write(home());
    Files.writeString(
        file, whole.substring(0, whole.length() - 20) + "{\"$set\":{}}\n" + user("u2", "x"));

    ImportReport report = archive.take(file);

    assertThat(report.records().unreadable()).isEqualTo(1);
    assertThat(only(report)).containsExactly("ctx", "u1", "c1", "r1", "u2");
    archive.comesBack(report, home(), folder.resolve("back"));
  }
}
