// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Encoding;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportProblem;
import dev.varve.imports.ImportReport;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is damaged, odd or hostile is kept and told.
class PiImportDamageTest {

  @TempDir Path folder;
  private final Store store = new StoreModel();
  private final Imported imported = new Imported(store);

  @Test
  void damageIsKeptAndToldAndTheRestOfTheFileIsRead() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("a", null, "one")
                .line("{\"type\":\"mess")
                .line("\u0000\u0000\u0000")
                .line("")
                .line("[1,2]")
                .user("b", "a", "two")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.records().turnsNew()).isEqualTo(2);
    assertThat(report.records().bookkeeping()).as("header, empty line, list").isEqualTo(3);
    assertThat(report.records().unreadable()).isEqualTo(2);
    assertThat(report.problems().first())
        .extracting(ImportProblem::position)
        .containsExactly(3L, 4L);
  }

  @Test
  void aWholeRecordBehindHalfOfOneIsTaken() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .line(
                    "{\"type\":\"message\",\"id\":\"a\",\"par{\"type\":\"message\","
                        + "\"id\":\"b\",\"parentId\":null}")
                .user("c", "b", "below it")
                .write(folder.resolve("s.jsonl")));

    assertThat(imported.leaves(report)).containsExactly("c");
    assertThat(report.records().turnsNew()).isEqualTo(2);
    assertThat(report.records().unreadable()).isEqualTo(1);
    assertThat(report.problems().first())
        .extracting(ImportProblem::what)
        .satisfiesExactly(
            what -> assertThat(what).startsWith("31 bytes are no entry: "),
            what ->
                assertThat(what)
                    .isEqualTo("a whole entry stands behind 31 other bytes; it was taken"));
  }

  @Test
  void recordsWeldedOntoOneLineAreTakenEachByItself() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .line(SessionText.entry("a", null, "one") + SessionText.entry("b", "a", "two"))
                .user("c", "b", "three")
                .write(folder.resolve("s.jsonl")));

    assertThat(imported.leaves(report)).containsExactly("c");
    assertThat(report.records().turnsNew()).isEqualTo(3);
  }

  @Test
  void aToolCallInsideATornMessageIsNoEntry() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .line(
                    "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,"
                        + "\"message\":{\"content\":[{\"type\":\"toolCall\","
                        + "\"id\":\"t\",\"name\":\"x\"},{\"ty")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.records().turnsNew()).isZero();
  }

  @Test
  void oneLineFullOfBeginningsIsGivenUpSoon() throws IOException {
    String hostile = "{\"type\":".repeat(200_000);

    ImportReport report =
        imported.importAndCompare(
            SessionText.headed().line(hostile).write(folder.resolve("s.jsonl")));

    assertThat(report.records().unreadable()).isEqualTo(1);
  }

  @Test
  void anEntryWhoseParentIsNowhereIsARootAndReported() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("a", null, "one")
                .user("x", "gone", "orphan")
                .user("y", "x", "below")
                .write(folder.resolve("s.jsonl")));

    assertThat(imported.leaves(report)).containsExactlyInAnyOrder("a", "y");
    assertThat(report.problems().first())
        .containsExactly(new ImportProblem("", 3, "its parent gone is not here; made a root"));
  }

  @Test
  void anEntryMayStandAboveItsParent() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("c", "b", "three")
                .user("b", "a", "two")
                .user("a", null, "one")
                .write(folder.resolve("s.jsonl")));

    assertThat(imported.leaves(report)).containsExactly("c");
    assertThat(imported.path(imported.context(report, "c"))).hasSize(3);
    assertThat(report.problems().first()).isEmpty();
  }

  @Test
  void entriesThatAreEachOthersParentsAreAllKept() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("a", "b", "one")
                .user("b", "a", "two")
                .user("s", "s", "itself")
                .user("c", "b", "three")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.records().turnsNew()).isEqualTo(4);
    assertThat(imported.leaves(report)).containsExactlyInAnyOrder("c", "s");
    assertThat(report.problems().first()).hasSize(2);
  }

  @Test
  void anIdUsedTwiceWithOtherParentsEndsNoWalkInACircle() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            SessionText.headed()
                .user("x", "gone", "one")
                .user("b", "x", "two")
                .user("x", "b", "three")
                .user("c", "x", "four")
                .write(folder.resolve("s.jsonl")));

    assertThat(imported.leaves(report)).containsExactly("c");
    assertThat(imported.path(imported.context(report, "c"))).hasSize(4);
    assertThat(report.problems().first())
        .extracting(ImportProblem::position)
        .containsExactly(2L, 4L);
  }

  @Test
  void aBeginningWrittenTwiceIsOneTree() throws IOException {
    SessionText text = SessionText.two();
    text.lines().addAll(List.copyOf(text.lines()));

    ImportReport report =
        imported.importAndCompare(text.user("c", "b", "three").write(folder.resolve("s.jsonl")));

    assertThat(imported.leaves(report)).containsExactly("c");
    assertThat(report.records().turnsNew()).isEqualTo(3);
    assertThat(report.records().duplicates()).isEqualTo(2);
    assertThat(report.problems().first()).isEmpty();
  }

  @Test
  void oddFilesComeBackToo() throws IOException {
    int n = 0;
    for (byte[] bytes :
        List.of(
            SessionText.headed().bytes(),
            utf8(
                "\uFEFF"
                    + new String(
                        SessionText.headed().user("a", null, "bom").bytes(),
                        StandardCharsets.UTF_8)),
            utf8(
                new String(
                        SessionText.headed().user("a", null, "crlf").bytes(),
                        StandardCharsets.UTF_8)
                    .replace("\n", "\r\n")),
            utf8(
                new String(
                        SessionText.headed().user("a", null, "no end").bytes(),
                        StandardCharsets.UTF_8)
                    .stripTrailing()),
            SessionText.headed().user("a", null, "\u2028 \u2029 \\ud800 \\u0000").bytes(),
            new SessionText().user("a", null, "no header").bytes(),
            concat(new byte[5000], SessionText.headed().user("a", null, "x").bytes()),
            concat(SessionText.headed().bytes(), new byte[5000]))) {
      imported.importAndCompare(Files.write(folder.resolve(n++ + ".jsonl"), bytes));
    }
    PiRoundTrip.check(store, folder);
  }

  @Test
  void aWrongByteInsideAStringKeepsNeitherTheEntryNorItsChildrenOut() throws IOException {
    byte[] bytes = SessionText.headed().user("a", null, "caf#").user("b", "a", "two").bytes();
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == '#' ? (byte) 0xFF : bytes[i];
    }

    ImportReport report = imported.importAndCompare(Files.write(folder.resolve("s.jsonl"), bytes));

    assertThat(imported.leaves(report)).containsExactly("b");
    assertThat(imported.path(imported.context(report, "b")))
        .extracting(Turn::encoding)
        .containsExactly(Encoding.RAW, Encoding.JSON);
    assertThat(report.problems().first()).hasSize(1);
  }

  @Test
  void aLineOverTheLimitIsKeptInPieces() throws IOException {
    PiImport small = new PiImport(store, new StoreLimits(2000, 100, 100));
    Path file =
        SessionText.headed()
            .user("a", null, "one")
            .user("b", "a", "x".repeat(10_000))
            .user("c", "b", "three")
            .write(folder.resolve("s.jsonl"));

    ImportReport report = small.session(file);

    PiRoundTrip.comesBack(store, report);
    assertThat(report.records().turnsNew()).isEqualTo(2);
    assertThat(report.problems().first())
        .extracting(ImportProblem::position)
        .containsExactly(3L, 4L);
  }

  @Test
  void nestingWithoutEndIsBytesLikeOthers() throws IOException {
    String bomb =
        "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"x\":" + "[".repeat(1_000_000);

    ImportReport report =
        imported.importAndCompare(SessionText.headed().line(bomb).write(folder.resolve("s.jsonl")));

    assertThat(report.records().turnsNew()).isZero();
    assertThat(report.problems().count()).isEqualTo(1);
  }

  @Test
  void typesThatAreNotPlainWordsAreAllOne() throws IOException {
    SessionText text = SessionText.headed();
    for (int i = 0; i < 500; i++) {
      text.line(
          "{\"type\":\"kind-%d\",\"id\":\"k%d\",\"parentId\":\"k%d\"}".formatted(i, i, i - 1));
    }
    text.line("{\"type\":\"../../x\",\"id\":\"p\",\"parentId\":null}");

    imported.importAndCompare(text.write(folder.resolve("s.jsonl")));

    assertThat(store.counts().types()).isLessThan(80);
  }

  @Test
  void namesFromAFileAreNeverPaths() throws IOException {
    ImportReport report =
        imported.importAndCompare(
            new SessionText()
                .line(
                    "{\"type\":\"session\",\"version\":3,\"id\":\"../../.bashrc\","
                        + "\"cwd\":\"/etc\"}")
                .user("..", null, "x")
                .write(folder.resolve("s.jsonl")));

    assertThat(report.session()).isEqualTo("../../.bashrc");
    assertThat(Files.exists(folder.resolve("../../.bashrc"))).isFalse();
  }

  @Test
  void aFileInWhichNothingIsPisIsRefusedByNameAndLeavesNoTrace() throws IOException {
    var before = store.counts();
    Map<String, String> refused =
        Map.of(
            "",
            "found an empty file",
            "\n\n\n",
            "found no header and no entry",
            "my precious notes",
            "found no header and no entry",
            new String(SessionText.headed().bytes(), StandardCharsets.UTF_8) + "{\"type\":\"x\"}\n",
            "found no header and no entry",
            "{\"parentUuid\":null,\"sessionId\":\"s\",\"type\":\"user\",\"uuid\":\"u\"}\n",
            "found a Claude Code transcript",
            "{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n{\"id\":\"a\",\"type\":\"user\"}\n",
            "found a Gemini CLI session");
    for (Map.Entry<String, String> each : refused.entrySet()) {
      Path file = Files.writeString(folder.resolve("s.jsonl"), each.getKey());

      assertThatThrownBy(() -> new PiImport(store).session(file))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining(each.getValue());
      assertThat(new PiImport(store).folder(folder, ImportListener.NONE))
          .extracting(ImportReport::outcome)
          .containsExactly(ImportReport.Outcome.FAILED);
      assertThat(store.counts()).isEqualTo(before);
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
