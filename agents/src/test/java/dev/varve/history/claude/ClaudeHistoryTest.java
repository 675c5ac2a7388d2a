// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.claude;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.history.Archive;
import dev.varve.history.ArchivedSession;
import dev.varve.history.SessionAbout;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Transcripts of Claude Code, with the mistakes that readers of them are known to make.
class ClaudeHistoryTest {

  private static final String S1 = MadeTranscript.id(1);
  private static final String S2 = MadeTranscript.id(2);

  @TempDir Path folder;
  private final Archive archive = Archive.of(new ClaudeProfile());

  private Path home() {
    return folder.resolve("home");
  }

  private static MadeTranscript talk(String session) {
    return new MadeTranscript(session)
        .line("{\"type\":\"mode\",\"mode\":\"default\",\"sessionId\":\"" + session + "\"}")
        .user("u1", null, "fix the shop")
        .attachment("t1", "u1", "today")
        .answer("a1", "t1", "m1", "looking", 3)
        .answer("a2", "a1", "m1", "and more", 9);
  }

  @Test
  void everyRecordWithAnIdIsATurnBelowItsParentThroughAttachments() throws IOException {
    ImportReport report = archive.take(talk(S1).write(home()));

    ContextId leaf = report.contexts().all().getFirst();
    assertThat(report.contexts().all()).hasSize(1);
    assertThat(archive.turns(leaf))
        .extracting(turn -> turn.type().id())
        .containsExactly(
            "claude-code.user",
            "claude-code.attachment",
            "claude-code.assistant",
            "claude-code.assistant");
    assertThat(archive.texts(leaf)).as("each block of an answer").anyMatch(t -> t.contains("more"));
    assertThat(report.records().records()).isEqualTo(5);
    assertThat(report.records().bookkeeping()).isEqualTo(1);
    assertThat(report.problems().count()).isZero();
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(view.folder()).as("not decoded from a path").isEqualTo("/src/shop");
    assertThat(view.title()).isEqualTo("fix the shop");
    assertThat(view.session()).isEqualTo(S1);
  }

  @Test
  void theResultsOfToolsThatRanAtTheSameTimeStandInOneLine() throws IOException {
    ImportReport report =
        archive.take(
            new MadeTranscript(S1)
                .user("u1", null, "go")
                .call("c1", "u1", "m1", "tool-1")
                .call("c2", "c1", "m1", "tool-2")
                .result("r2", "c2", "tool-2", "second first")
                .result("r1", "c1", "tool-1", "first second")
                .answer("a1", "r1", "m2", "done", 1)
                .write(home()));

    assertThat(report.contexts().all()).hasSize(1);
    assertThat(archive.texts(report.contexts().all().getFirst()))
        .hasSize(6)
        .anyMatch(text -> text.contains("second first"))
        .anyMatch(text -> text.contains("first second"));
  }

  @Test
  void aRewindIsABranch() throws IOException {
    ImportReport report =
        archive.take(talk(S1).user("u2", "a2", "one way").user("u3", "a2", "other").write(home()));

    assertThat(report.contexts().all()).hasSize(2);
  }

  @Test
  void aCompactionIsJoinedToTheHistoryBefore() throws IOException {
    ImportReport report =
        archive.take(talk(S1).boundary("b1", "a2").user("s1", "b1", "summary").write(home()));

    assertThat(archive.turns(report.contexts().all().getFirst())).hasSize(6);
    assertThat(report.contexts().all()).hasSize(1);
  }

  @Test
  void aForkSharesItsTurnsAndCostsLittle() throws IOException {
    ImportReport first = archive.take(talk(S1).write(home()));
    ImportReport fork = archive.take(talk(S2).user("u2", "a2", "in the fork").write(home()));

    assertThat(first.records().turnsNew()).isEqualTo(4);
    assertThat(fork.records().turnsNew()).isEqualTo(1);
    assertThat(fork.records().turnsShared()).isEqualTo(4);
    archive.comesBack(fork, home(), folder.resolve("back"));
  }

  @Test
  void aSubAgentIsNotMixedWithItsParent() throws IOException {
    Path main = talk(S1).write(home());
    Path agent = main.resolveSibling(S1).resolve("subagents/agent-1.jsonl");
    Files.createDirectories(agent.getParent());
    List<String> lines = new MadeTranscript(S1).user("x1", null, "help").lines();
    Files.writeString(agent, String.join("\n", lines) + "\n");
    Files.writeString(agent.resolveSibling("agent-1.meta.json"), "{\"toolUseId\":\"t\"}");

    ImportReport report = archive.take(main);

    assertThat(report.contexts().all()).hasSize(2);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void theUsageOfAResponseIsItsGreatestAndCountsOnce() throws IOException {
    ImportReport report = archive.take(talk(S1).write(home()));

    SessionAbout about = archive.session(report).about();
    assertThat(archive.store().get(about.usage()).text())
        .isEqualTo("[{\"key\":\"m1\",\"input\":17,\"cached\":7,\"output\":9}]");
  }

  @Test
  void parentsThatStandBelowAreFoundAndCirclesAreBroken() throws IOException {
    ImportReport report =
        archive.take(
            new MadeTranscript(S1)
                .attachment("t1", "u1", "hook")
                .user("u1", null, "go")
                .user("x", "y", "circle")
                .user("y", "x", "circle")
                .user("z", "nowhere", "lost")
                .write(home()));

    assertThat(report.records().turnsNew()).isEqualTo(5);
    assertThat(report.problems().count()).isEqualTo(2);
  }

  @Test
  void aTornLastLineIsKeptAndTheNextImportGoesOn() throws IOException {
    Path file = talk(S1).write(home());
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.length() - 20));
    ImportReport torn = archive.take(file);
    archive.comesBack(torn, home(), folder.resolve("torn"));
    assertThat(torn.records().unreadable()).isEqualTo(1);

    Files.writeString(file, whole + "\n", StandardOpenOption.TRUNCATE_EXISTING);
    ImportReport grown = archive.take(file);

    assertThat(grown.outcome()).isEqualTo(Outcome.GROWN);
    assertThat(grown.records().turnsNew()).isEqualTo(1);
    assertThat(grown.contexts().all()).isEqualTo(torn.contexts().all());
    archive.comesBack(grown, home(), folder.resolve("grown"));
  }

  @Test
  void aFileThatShrinksIsOlderAndOneThatRegrowsOtherwiseIsAnotherVersion() throws IOException {
    Path file = talk(S1).user("u2", "a2", "one way").write(home());
    byte[] before = Files.readAllBytes(file);
    ImportReport first = archive.take(file);
    talk(S1).write(home());

    assertThat(archive.take(file).outcome()).isEqualTo(Outcome.OLDER);
    assertThat(archive.session(first).manifest().sizeBytes()).isEqualTo(before.length);

    talk(S1).user("u3", "a2", "quite another way, and longer").write(home());
    ImportReport regrown = archive.take(file);

    assertThat(regrown.outcome()).isEqualTo(Outcome.REWRITTEN);
    SessionAbout previous =
        SessionAbout.read(archive.store().get(archive.session(regrown).about().previous()))
            .orElseThrow();
    assertThat(previous.view().sizeBytes()).isEqualTo(before.length);
    assertThat(archive.texts(first.contexts().all().getFirst()))
        .anyMatch(text -> text.contains("one way"));
  }

  @Test
  void aSecondImportReadsNothingAndAFileThatWasDeletedStays() throws IOException {
    Path main = talk(S1).write(home());
    Path output = main.resolveSibling(S1).resolve("tool-results/abc.txt");
    Files.createDirectories(output.getParent());
    Files.writeString(output, "large output");
    ImportReport first = archive.take(main);
    assertThat(archive.take(main).outcome()).isEqualTo(Outcome.UNCHANGED);
    Files.delete(output);

    ImportReport second = archive.take(main);

    assertThat(archive.session(second).manifest().files())
        .isEqualTo(archive.session(first).manifest().files());
  }

  @Test
  void aFileThatIsTouchedIsUnchangedAndPutBackWithItsNewTime() throws IOException {
    Path main = talk(S1).write(home());
    archive.take(main);
    Files.setLastModifiedTime(main, FileTime.from(Instant.parse("2026-01-02T03:04:05.678901Z")));

    archive.comesBack(archive.take(main), home(), folder.resolve("back"));
  }

  @Test
  void aFileOfAnotherAgentIsRefusedByNameAndLeavesNoTrace() throws IOException {
    Path file = folder.resolve("x.jsonl");
    Files.writeString(file, "{\"type\":\"session\",\"version\":3,\"id\":\"a\",\"cwd\":\"/src\"}\n");
    assertThatThrownBy(() -> archive.take(file))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("expected a Claude Code transcript, found a session of Pi");

    Files.writeString(file, "{\"type\":\"new-thing\",\"sessionId\":\"a\"}\n{\"type\":\"x\"}\n");
    assertThatThrownBy(() -> archive.take(file)).isInstanceOf(StoreException.Invalid.class);
    assertThat(archive.store().counts().contexts()).isZero();
    assertThat(archive.store().counts().turns()).isZero();
  }

  @Test
  void oddBytesComeBack() throws IOException {
    Path file = talk(S1).write(home());
    Files.write(
        file,
        ("\r\n\n{\"type\":\"user\",\"uuid\":\"q\",\"parentUuid\":\"a2\",\"sessionId\":\"\\ud83d\","
                + "\"message\":{\"content\":\"\u2028 \0\"}}\n{\"type\":\"later-thing\","
                + "\"pad\":\""
                + "x".repeat(200_000)
                + "\"}\n")
            .getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.APPEND);
    Files.write(file, new byte[] {'{', (byte) 0xFF, '\n', '{'}, StandardOpenOption.APPEND);

    ImportReport report = archive.take(file);

    archive.comesBack(report, home(), folder.resolve("back"));
    ArchivedSession session = archive.session(report);
    assertThat(session.about().view().turns()).isEqualTo(report.records().turns());
  }

  @Test
  void everyBlockOfAnAnswerIsATurn() throws IOException {
    ImportReport report =
        archive.take(
            new MadeTranscript(S1)
                .user("u1", null, "go")
                .answer("a1", "u1", "m1", "first block", 3)
                .call("a2", "a1", "m1", "tool-1")
                .answer("a3", "a2", "m1", "last block", 9)
                .write(home()));

    assertThat(archive.texts(report.contexts().all().getFirst()))
        .hasSize(4)
        .satisfies(
            texts -> {
              assertThat(texts.get(1)).contains("first block");
              assertThat(texts.get(2)).contains("tool-1");
              assertThat(texts.get(3)).contains("last block");
            });
    assertThat(report.records().duplicates()).isZero();
  }

  @Test
  void theUsageOfAForkHasTheKeysOfItsParent() throws IOException {
    ImportReport parent = archive.take(talk(S1).write(home()));
    ImportReport fork =
        archive.take(talk(S2).user("u2", "a2", "x").answer("a3", "u2", "m2", "y", 4).write(home()));

    String own = archive.store().get(archive.session(parent).about().usage()).text();
    String forked = archive.store().get(archive.session(fork).about().usage()).text();
    assertThat(forked).startsWith(own.substring(0, own.length() - 1)).contains("\"key\":\"m2\"");
  }

  @Test
  void subAgentsThatNameTheirParentsSessionWriteOverNobody() throws IOException {
    Path main = talk(S1).write(home());
    for (String name : List.of("agent-1", "agent-2", "workflows/run/agent-1")) {
      Path agent = main.resolveSibling(S1).resolve("subagents").resolve(name + ".jsonl");
      Files.createDirectories(agent.getParent());
      List<String> lines = new MadeTranscript(S1).user(name, null, "help of " + name).lines();
      Files.writeString(agent, String.join("\n", lines) + "\n");
    }

    ImportReport report = archive.take(main);

    assertThat(report.contexts().all()).hasSize(4);
    assertThat(report.contexts().all().stream().map(archive::texts))
        .filteredOn(texts -> texts.size() == 1)
        .as("each sub-agent by itself")
        .hasSize(3);
    assertThat(report.contexts().all().stream().map(archive::texts))
        .filteredOn(texts -> texts.size() == 4)
        .as("the parent without them")
        .hasSize(1);
  }

  @Test
  void theBackupsThatADeltaNamesComeBack() throws IOException {
    Path main =
        talk(S1)
            .line(
                "{\"type\":\"file-history-snapshot\",\"messageId\":\"u1\",\"snapshot\":{"
                    + "\"messageId\":\"u1\",\"trackedFileBackups\":{}}}")
            .line(
                "{\"type\":\"file-history-delta\",\"messageId\":\"a2\",\"snapshotMessageId\":"
                    + "\"u1\",\"trackingPath\":\"Shop.java\",\"backup\":{\"backupFileName\":"
                    + "\"0123456789abcdef@v2\",\"version\":2}}")
            .write(home());
    Path backup = home().resolve("file-history").resolve(S1).resolve("0123456789abcdef@v2");
    Files.createDirectories(backup.getParent());
    Files.writeString(backup, "class Shop {}");

    ImportReport report = archive.take(main);

    assertThat(report.records().bookkeeping()).isEqualTo(3);
    assertThat(report.records().unreadable()).isZero();
    archive.comesBack(report, home(), folder.resolve("back"));
    assertThat(folder.resolve("back").resolve(home().relativize(backup)))
        .hasContent("class Shop {}");
  }

  @Test
  void theFolderOfAProjectIsThatOfItsRecords() throws IOException {
    Path file = talk(S1).write(home());
    Files.writeString(file, Files.readString(file).replace("/src/shop", "/src/old-shop/a.b"));
    Path folder = Files.createDirectories(home().resolve("projects/-src-old-shop-a-b"));

    ImportReport report = archive.take(Files.move(file, folder.resolve(file.getFileName())));

    assertThat(archive.session(report).about().view().folder()).isEqualTo("/src/old-shop/a.b");
  }
}
