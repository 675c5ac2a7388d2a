// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.qwen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.history.Archive;
import dev.varve.history.ArchivedFile;
import dev.varve.history.CountedSource;
import dev.varve.history.HistoryProfile;
import dev.varve.history.OneImport;
import dev.varve.history.PathHash;
import dev.varve.history.PutBack;
import dev.varve.history.PutBackPlan;
import dev.varve.history.SessionAbout;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Transcripts of Qwen Code, with the mistakes that readers of them are known to make.
class QwenHistoryTest {

  private static final String S1 = MadeQwenTranscript.id(1);
  private static final String S2 = MadeQwenTranscript.id(2);
  private static final String CALL =
      "{\"functionCall\":{\"id\":\"k\",\"name\":\"edit\",\"args\":{}}}";

  @TempDir Path folder;
  private final Archive archive = Archive.of(new QwenProfile());

  private Path home() {
    return folder.resolve(".qwen");
  }

  private ImportReport take(MadeQwenTranscript transcript) throws IOException {
    return archive.take(transcript.write(home()));
  }

  private List<String> ids(ContextId context) {
    return archive.texts(context).stream()
        .map(text -> text.replaceFirst("(?s).*?\"uuid\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private List<String> only(ImportReport report) {
    assertThat(report.contexts().all()).hasSize(1);
    return ids(report.contexts().all().getFirst());
  }

  /// A prompt, a call, its result and an answer, with measurements between them.
  private static MadeQwenTranscript talk(MadeQwenTranscript transcript) {
    return transcript
        .user("u1", "fix the shop")
        .system("t1", "attribution_snapshot", "")
        .answer("c1", "{\"text\":\"thinking\",\"thought\":true}," + CALL)
        .system("t2", "ui_telemetry", "\"uiEvent\":{\"input_token_count\":9}")
        .result("r1", "k")
        .answer("a1", "{\"text\":\"done\"}");
  }

  @Test
  void theTreeRunsThroughMeasurementsThatAreNoTurns() throws IOException {
    ImportReport report = take(talk(new MadeQwenTranscript(S1)));

    assertThat(only(report)).containsExactly("u1", "c1", "r1", "a1");
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("qwen.user", "qwen.assistant", "qwen.result", "qwen.assistant");
    assertThat(report.records().records()).isEqualTo(6);
    assertThat(report.records().bookkeeping()).isEqualTo(2);
    assertThat(report.problems().count()).isZero();
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(view.title()).isEqualTo("fix the shop");
    assertThat(view.folder()).isEqualTo("/src/shop");
  }

  @Test
  void usageCountsEachAnswerOnceAndNoMeasurement() throws IOException {
    ImportReport report = take(talk(new MadeQwenTranscript(S1)));

    assertThat(archive.store().get(archive.session(report).about().usage()).text())
        .isEqualTo(
            "[{\"key\":\"c1\",\"input\":9,\"cached\":2,\"output\":4},"
                + "{\"key\":\"a1\",\"input\":9,\"cached\":2,\"output\":4}]");
  }

  @Test
  void aRewindIsABranchAtTheLastRecordThatCounts() throws IOException {
    ImportReport report =
        take(
            talk(new MadeQwenTranscript(S1))
                .user("u2", "one way")
                .answer("a2", "{\"text\":\"x\"}")
                .below("a1")
                .system("w", "rewind", "\"truncatedCount\":6")
                .system("f", "file_history_snapshot", "\"snapshots\":[]")
                .user("u3", "other way"));

    assertThat(report.contexts().all())
        .extracting(this::ids)
        .containsExactlyInAnyOrder(
            List.of("u1", "c1", "r1", "a1", "u2", "a2"), List.of("u1", "c1", "r1", "a1", "u3"));
  }

  @Test
  void aCompressionStandsInTheLineWithItsHistory() throws IOException {
    ImportReport report =
        take(
            talk(new MadeQwenTranscript(S1))
                .system("z", "chat_compression", "\"compressedHistory\":[]")
                .user("u2", "on"));

    assertThat(only(report)).containsExactly("u1", "c1", "r1", "a1", "z", "u2");
    assertThat(archive.turns(report.contexts().all().getFirst()).get(4).type().id())
        .isEqualTo("qwen.compaction");
  }

  @Test
  void aForkSharesItsTurnsAndNamesItsParent() throws IOException {
    ImportReport first = take(talk(new MadeQwenTranscript(S1)).user("u2", "in the parent"));
    ImportReport fork = take(talk(new MadeQwenTranscript(S2, S1)).user("u3", "in the fork"));

    assertThat(first.records().turnsNew()).isEqualTo(5);
    assertThat(fork.records().turnsNew()).isEqualTo(1);
    assertThat(fork.records().turnsShared()).isEqualTo(4);
    assertThat(archive.session(fork).about().view().link()).isEqualTo(S1);
    archive.comesBack(fork, home(), folder.resolve("back"));
  }

  @Test
  void aSubAgentIsNotMixedWithItsParentAndItsEmptyAnswerIsNoTurn() throws IOException {
    Path main = talk(new MadeQwenTranscript(S1)).write(home());
    Path agent =
        home().resolve("projects/-src-shop/subagents").resolve(S1).resolve("agent-x.jsonl");
    Files.createDirectories(agent.getParent());
    String text =
        new MadeQwenTranscript(S1)
            .user("x1", "look")
            .answer("x2", "")
            .below("x2")
            .answer("x3", CALL)
            .text()
            .replace("\"cwd\"", "\"agentId\":\"agent-x\",\"isSidechain\":true,\"cwd\"");
    Files.writeString(agent, text);
    Files.writeString(agent.resolveSibling("agent-x.meta.json"), "{\"toolUseId\":\"k\"}");

    ImportReport report = archive.take(main);

    assertThat(report.contexts().all())
        .extracting(this::ids)
        .containsExactlyInAnyOrder(List.of("u1", "c1", "r1", "a1"), List.of("x1", "x3"));
    assertThat(archive.store().get(archive.session(report).about().usage()).text())
        .contains("\"x2\"")
        .contains("\"x3\"");
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void theTitleThatAPersonGaveCounts() throws IOException {
    ImportReport report =
        take(
            talk(new MadeQwenTranscript(S1))
                .system("n", "custom_title", "\"customTitle\":\"my shop\""));

    assertThat(archive.session(report).about().view().title()).isEqualTo("my shop");
  }

  @Test
  void recordsThatWereGluedToOneLineAreBothThere() throws IOException {
    String[] lines = talk(new MadeQwenTranscript(S1)).user("u2", "on").text().split("\n", -1);
    Path file = talk(new MadeQwenTranscript(S1)).write(home());
    String glued = String.join("\n", lines).replace(lines[4] + "\n", lines[4]);
    Files.writeString(file, glued);

    ImportReport whole = archive.take(file);

    assertThat(only(whole)).containsExactly("u1", "c1", "r1", "a1", "u2");
    assertThat(whole.records().unreadable()).isZero();
    archive.comesBack(whole, home(), folder.resolve("back"));
  }

  @Test
  void aRecordThatWasGluedToATornOneIsFoundAndTheTornOneReported() throws IOException {
    String before = talk(new MadeQwenTranscript(S1)).text();
    String torn = before.substring(0, before.length() - 40);
    String next = new MadeQwenTranscript(S1).below("r1").user("u2", "on").text();
    Path file = talk(new MadeQwenTranscript(S1)).write(home());
    Files.writeString(file, torn + next);

    ImportReport report = archive.take(file);

    assertThat(only(report)).containsExactly("u1", "c1", "r1", "u2");
    assertThat(report.records().unreadable()).isEqualTo(1);
    assertThat(report.records().records()).isEqualTo(7);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void aLineOfStartsThatNeverEndIsNoWork() throws IOException {
    Path file = talk(new MadeQwenTranscript(S1)).write(home());
    Files.writeString(
        file, talk(new MadeQwenTranscript(S1)).text() + "{\"uuid\":[".repeat(200_000));

    assertThat(archive.take(file).records().unreadable()).isEqualTo(1);
  }

  @Test
  void aTornTailIsNotPutBackSilently() throws IOException {
    Path file = talk(new MadeQwenTranscript(S1)).write(home());
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    PutBackPlan whole = putBack.plan(archive.session(archive.take(file)), folder.resolve("whole"));
    putBack.write(whole);
    assertThat(new QwenProfile().afterPutBack(whole)).hasSize(1);

    Files.writeString(
        file, talk(new MadeQwenTranscript(S1)).user("u2", "on").text().stripTrailing());
    PutBackPlan torn = putBack.plan(archive.session(archive.take(file)), folder.resolve("torn"));
    putBack.write(torn);

    assertThat(String.join("\n", new QwenProfile().afterPutBack(torn)))
        .contains("ends within a line")
        .contains("qwen --resume " + S1);
  }

  @Test
  void backupsAndLargeOutputsComeWithTheSessionAndKeysNever() throws IOException {
    Path main = talk(new MadeQwenTranscript(S1)).write(home());
    write("file-history/" + S1 + "/0123456789abcdef@v1", "before");
    write("tmp/" + PathHash.of("/src/shop") + "/run_shell_command_1.output", "large");
    write("tmp/" + PathHash.of("/src/shop") + "/logs.json", "[]");
    write("projects/-src-shop/chats/" + S1 + ".runtime.json", "{\"pid\":1}");
    for (String secret : List.of("oauth_creds.json", "settings.json", ".env")) {
      write(secret, "secret");
    }

    ImportReport report = archive.take(main);

    assertThat(archive.session(report).manifest().files())
        .extracting(ArchivedFile::slot)
        .containsExactlyInAnyOrder(
            "main",
            "file-history/0123456789abcdef@v1",
            "project/run_shell_command_1.output",
            "project/logs.json");
    archive.comesBack(report, home(), folder.resolve("back"));
    assertThat(new QwenProfile().sessions(home())).hasSize(1);
  }

  private void write(String name, String text) throws IOException {
    Path file = home().resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void recordsWithoutIdsStandInTheOrderOfTheFile() throws IOException {
    Path file = folder.resolve("x.jsonl");
    Files.writeString(
        file,
        """
        {"type":"user","sessionId":"s","message":{"role":"user","parts":[{"text":"one"}]}}
        {"type":"assistant","sessionId":"s","message":{"role":"model","parts":[{"text":"two"}]}}
        {"type":"later-thing","sessionId":"s"}
        """);

    ImportReport report = archive.take(file);

    assertThat(archive.texts(report.contexts().all().getFirst())).hasSize(2);
    assertThat(report.records().bookkeeping()).isEqualTo(1);
  }

  @Test
  void aTranscriptOfClaudeCodeIsRefusedByNameAndLeavesNoTrace() throws IOException {
    Path file = folder.resolve("x.jsonl");
    Files.writeString(
        file,
        "{\"uuid\":\"u\",\"parentUuid\":null,\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n");

    assertThatThrownBy(() -> archive.take(file))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("expected a Qwen Code transcript, found a Claude Code transcript");
    assertThat(archive.store().counts().contexts()).isZero();
    assertThat(archive.store().counts().turns()).isZero();
  }

  @Test
  void aTranscriptThatGrowsAddsWhatIsNewAndASecondImportNothing() throws IOException {
    Path file = talk(new MadeQwenTranscript(S1)).write(home());
    archive.take(file);
    assertThat(archive.take(file).outcome()).isEqualTo(Outcome.UNCHANGED);

    ImportReport grown = take(talk(new MadeQwenTranscript(S1)).user("u2", "on"));

    assertThat(grown.outcome()).isEqualTo(Outcome.GROWN);
    assertThat(grown.records().turnsNew()).isEqualTo(1);
    assertThat(only(grown)).hasSize(5);
  }

  @Test
  void newLinesAreReadWithoutTheLinesBefore() throws IOException {
    MadeQwenTranscript made = new MadeQwenTranscript(MadeQwenTranscript.id(1)).user("u0", "go");
    HistoryProfile profile = archive.profile();
    archive.take(made.write(folder.resolve("growing")));
    for (int step = 1; step <= 4; step++) {
      made.answer("a" + step, "{\"text\":\"answer " + step + "\"}")
          .system("s" + step, "ui_telemetry", "\"n\":" + step)
          .user("u" + step, "prompt " + step);
      if (step == 3) {
        made.system("t", "custom_title", "\"customTitle\":\"a title\"").below("a2").user("v", "x");
      }
      Path file = made.write(folder.resolve("growing"));
      CountedSource source = new CountedSource(profile.session(file).main().source());

      ImportReport report = archive.take(source.inPlaceOf(profile.session(file)));

      assertThat(source.streamed()).isZero();
      OneImport.isSame(archive, report, file, false);
    }
  }
}
