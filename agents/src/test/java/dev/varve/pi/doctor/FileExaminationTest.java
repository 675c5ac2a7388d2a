// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileExaminationTest {

  @TempDir Path folder;

  private Patient patient(SessionText text) throws IOException {
    return Patient.of(folder, text);
  }

  private static SessionText three() {
    return SessionText.headed().user("a", null, "x").user("b", "a", "y").user("c", "b", "z");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String entry(String id, String parent) {
    return SessionText.entry(id, parent, "text");
  }

  @Test
  void aHealthySessionIsHealthyAndItsCopyTheSame() throws IOException {
    Patient patient = patient(three());

    assertThat(patient.found().healthy()).isTrue();
    assertThat(patient.found().counts()).isEmpty();
    assertThat(patient.found().entries()).isEqualTo(3);
    assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
  }

  @Test
  void aTornTailIsToldWithItsPlaceAndLeftOut() throws IOException {
    byte[] whole = three().bytes();
    byte[] torn = Arrays.copyOf(whole, whole.length - 40);
    Patient patient = Patient.of(folder, "s.jsonl", torn);

    ProblemPlace finding = patient.finding(SessionProblem.TORN_TAIL);
    assertThat(finding.line()).isEqualTo(4);
    assertThat(finding.offset() + finding.sizeBytes()).isEqualTo(torn.length);
    assertThat(patient.found().healthy()).isFalse();
    assertThat(patient.after().healthy()).isTrue();
    assertThat(patient.copyLines()).isEqualTo(three().lines().subList(0, 3));
  }

  @Test
  void anEntryBehindTornBytesGetsALineOfItsOwn() throws IOException {
    String torn = "{\"type\":\"message\",\"id\":\"t\",\"par";
    Patient patient = patient(three().line(torn + entry("d", "c")).user("e", "d", "on"));

    assertThat(patient.finding(SessionProblem.GLUED).sizeBytes()).isEqualTo(torn.length());
    assertThat(patient.finding(SessionProblem.GLUED).detail()).contains("entry d");
    assertThat(patient.copyLines()).hasSize(6).contains(entry("d", "c"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void twoEntriesOnOneLineAreSeparated() throws IOException {
    Patient patient = patient(three().line(entry("d", "c") + entry("e", "d")));

    assertThat(patient.finding(SessionProblem.LINE_FEED_MISSING).detail()).contains("entry e");
    assertThat(patient.copyLines()).hasSize(6).endsWith(entry("d", "c"), entry("e", "d"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aStretchOfZerosIsLeftOut() throws IOException {
    Patient patient = patient(three().line("\0".repeat(500)).user("d", "c", "on"));

    assertThat(patient.finding(SessionProblem.ZEROS).sizeBytes()).isEqualTo(500);
    assertThat(patient.after().counts()).isEmpty();
    Patient glued = patient(three().line("\0".repeat(500) + entry("d", "c")));
    assertThat(glued.finding(SessionProblem.ZEROS)).isNotNull();
    assertThat(glued.copyLines()).endsWith(entry("d", "c"));
  }

  /// Of each a look goes back over those before it: together that must not be a square.
  @Test
  void manyRepetitionsTakeNoLongerThanTheirNumber() throws IOException {
    SessionText text = SessionText.headed();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 40_000; i++) {
        String call = "\"message\":{\"role\":\"assistant\",\"stopReason\":\"toolUse\"}}";
        String parent = i == 0 ? "null" : "\"" + (i - 1) + "\"";
        text.line(
            "{\"type\":\"message\",\"id\":\""
                + i
                + "\",\"parentId\":"
                + parent
                + ",\"timestamp\":\"2026-11-27T20:37:23Z\","
                + call);
      }
    }

    Patient patient = patient(text);

    assertThat(patient.finding(SessionProblem.REPEATED).detail()).isEqualTo("40000 entries");
    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.REPEATED);
  }

  @Test
  void aRepeatedBeginningCollapses() throws IOException {
    SessionText text = three();
    text.line(text.lines().get(0)).line(text.lines().get(1)).line(text.lines().get(2));
    Patient patient = patient(text.user("d", "c", "on"));

    assertThat(patient.finding(SessionProblem.SECOND_HEADER).detail()).isEqualTo("the same again");
    assertThat(patient.finding(SessionProblem.REPEATED).detail()).isEqualTo("2 entries");
    assertThat(patient.copyLines()).hasSize(5);
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void differentEntriesWithOneIdAreBothKept() throws IOException {
    Patient patient =
        patient(
            SessionText.headed()
                .user("a", null, "root")
                .user("x", "a", "first")
                .user("b", "x", "below")
                .user("x", "a", "second"));

    assertThat(patient.finding(SessionProblem.SAME_ID).line()).isEqualTo(3);
    assertThat(patient.copyLines()).hasSize(5);
    assertThat(patient.copyLines().get(2)).contains("first").doesNotContain("\"id\":\"x\"");
    assertThat(patient.copyLines().get(4)).isEqualTo(patient.copyLines().get(4)).contains("second");
    assertThat(patient.after().counts())
        .as("b stands before its parent")
        .containsOnlyKeys(SessionProblem.PARENT_LATER);
  }

  @Test
  void twoEntriesWithOneIdThatGoInACircleAreOpened() throws IOException {
    Patient patient =
        patient(
            SessionText.headed()
                .user("a", null, "root")
                .user("x", "a", "first")
                .user("b", "x", "below")
                .user("x", "b", "again"));

    assertThat(patient.found().counts())
        .containsKeys(SessionProblem.SAME_ID, SessionProblem.CIRCLE);
    assertThat(patient.after().healthy()).isTrue();
    assertThat(patient.after().entries()).isEqualTo(4);
  }

  @Test
  void aCircleOfTheFirstEntriesBeginsWithARoot() throws IOException {
    Patient patient = patient(SessionText.headed().user("a", "b", "x").user("b", "a", "y"));

    assertThat(patient.finding(SessionProblem.CIRCLE).line()).isEqualTo(2);
    assertThat(patient.copyLines().get(1)).contains("\"id\":\"a\",\"parentId\":null");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void anOrphanFollowsTheEntryBeforeIt() throws IOException {
    Patient patient = patient(three().user("d", "gone", "lost").user("e", "d", "on"));

    assertThat(patient.finding(SessionProblem.ORPHAN).detail())
        .isEqualTo("parent gone; would follow line 4");
    assertThat(patient.copyLines().get(4)).isEqualTo(SessionText.entry("d", "c", "lost"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aForkLearnsItsParentsFromTheSessionItWasForkedFrom() throws IOException {
    SessionText original =
        SessionText.headed("parent")
            .user("a", null, "x")
            .user("b", "a", "y")
            .line("{\"type\":\"label\",\"id\":\"l\",\"parentId\":\"a\",\"targetId\":\"a\"}")
            .user("c", "l", "z");
    original.write(folder.resolve("parent.jsonl"));
    SessionText fork =
        new SessionText()
            .line(
                "{\"type\":\"session\",\"version\":3,\"id\":\"f\",\"timestamp\":\"2026-11-27T20:37:22Z\",\"cwd\":\"/\","
                    + "\"parentSession\":\"/nowhere/parent.jsonl\"}")
            .user("a", null, "x")
            .user("b", "a", "y")
            .user("c", "l", "z");

    Patient patient = patient(fork);

    assertThat(patient.finding(SessionProblem.ORPHAN_AFTER_FORK).detail())
        .contains("would follow line 2")
        .contains("as in the session that it was forked from");
    assertThat(patient.copyLines().get(3)).contains("\"id\":\"c\",\"parentId\":\"a\"");
    Files.delete(folder.resolve("parent.jsonl"));
    assertThat(patient(fork).finding(SessionProblem.ORPHAN_AFTER_FORK).detail())
        .as("a guess, when it is not at hand")
        .endsWith("would follow line 3");
  }

  @Test
  void aMissingHeaderIsMadeFromTheNamesOfFileAndFolder() throws IOException {
    Path sessions = Files.createDirectory(folder.resolve("--src-shop--"));
    byte[] bytes = new SessionText().user("a", "gone", "x").user("b", "a", "y").bytes();
    Patient patient = Patient.of(sessions, "2026-11-27T20-37-21-818Z_my.id.jsonl", bytes);

    assertThat(patient.found().counts())
        .containsKeys(SessionProblem.NO_HEADER, SessionProblem.ORPHAN);
    assertThat(patient.copyLines().getFirst())
        .isEqualTo(
            "{\"type\":\"session\",\"version\":3,\"id\":\"my.id\","
                + "\"timestamp\":\"2026-11-27T20:37:21.818Z\",\"cwd\":\"/src/shop\"}");
    assertThat(patient.copyLines().get(1)).contains("\"parentId\":null");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aFolderForTheMadeHeaderCanBeNamed() throws IOException {
    Path file = new SessionText().user("a", null, "x").write(folder.resolve("odd name.jsonl"));

    SessionDiagnosis found = FileExamination.of(file, "/my/folder", Patient.NOW, _ -> {});

    RepairWriter.write(found, folder.resolve("copy.jsonl"), _ -> {});
    assertThat(Files.readString(folder.resolve("copy.jsonl")))
        .contains("\"cwd\":\"/my/folder\"")
        .contains("\"timestamp\":\"2026-11-27T20:37:22.033Z\"");
  }

  @Test
  void aHeaderFurtherDownIsPutFirst() throws IOException {
    SessionText text = new SessionText().user("a", null, "x").line(three().lines().getFirst());
    Patient patient = patient(text.user("b", "a", "y"));

    assertThat(patient.finding(SessionProblem.HEADER_NOT_FIRST).line()).isEqualTo(2);
    assertThat(patient.copyLines()).hasSize(3).first().asString().contains("\"session\"");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aByteOrderMarkIsLeftOut() throws IOException {
    byte[] bytes = utf8("\uFEFF" + new String(three().bytes(), StandardCharsets.UTF_8));
    Patient patient = Patient.of(folder, "s.jsonl", bytes);

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.BYTE_ORDER_MARK);
    assertThat(patient.copy()).hasBinaryContent(three().bytes());
  }

  @Test
  void twoProcessesInOneFileAreNoticed() throws IOException {
    SessionText text =
        SessionText.headed()
            .user("a", null, "question")
            .user("b", "a", "of another process")
            .line(answer("c", "a"))
            .line(answer("d", "b"));

    Patient patient = patient(text);

    assertThat(patient.finding(SessionProblem.TWO_WRITERS).detail()).startsWith("2 times");
    assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
  }

  @Test
  void goingBackInTheTreeIsNotTheWorkOfTwoProcesses() throws IOException {
    SessionText text =
        SessionText.headed()
            .user("a", null, "question")
            .line(answer("b", "a"))
            .user("c", "b", "one")
            .line(answer("d", "c"))
            .user("e", "b", "two")
            .line(answer("f", "e"))
            .user("g", "d", "back on one")
            .line(answer("h", "g"));

    assertThat(patient(text).found().counts()).isEmpty();
  }

  private static String answer(String id, String parent) {
    return ("{\"type\":\"message\",\"id\":\"%s\",\"parentId\":\"%s\","
                + "\"timestamp\":\"2026-11-27T20:37:22.033Z\",\"message\":{\"role\":\"assistant\",\"content\":[],\"stopReason\":\"stop\"}}")
        .formatted(id, parent);
  }

  @Test
  void aRunThatWentBackToItsPlaceInTheTreeIsNotTheWorkOfTwoProcesses() throws IOException {
    SessionText later =
        SessionText.headed()
            .user("a", null, "question")
            .user("b", "a", "tried something else")
            .line(answer("c", "a").replace("\"stop\"", "\"stop\",\"timestamp\":1795811850000"));
    SessionText reordered =
        SessionText.headed()
            .user("a", null, "question")
            .user("b", "a", "written last, and moved up")
            .line(answer("c", "a").replace(":22.033Z", ":20.033Z"));

    assertThat(patient(later).found().counts()).isEmpty();
    assertThat(patient(reordered).found().counts()).isEmpty();
  }

  @Test
  void twoProcessesThatTakeTurnsAreNoticed() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "question").line(answer("b", "a"));
    String[] ends = {"b", "b"};
    for (int turn = 0; turn < 4; turn++) {
      text.user("u" + turn, ends[turn % 2], "turn").line(answer("v" + turn, "u" + turn));
      ends[turn % 2] = "v" + turn;
    }

    Patient patient = patient(text);

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.TAKING_TURNS);
    assertThat(patient.found().healthy()).isFalse();
    assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
  }

  @Test
  void whoeverTriesSeveralWaysAndComesBackIsOneProcess() throws IOException {
    SessionText text = SessionText.headed().user("a", null, "question").line(answer("b", "a"));
    String main = "b";
    for (int turn = 0; turn < 4; turn++) {
      text.user("u" + turn, main, "on").line(answer("v" + turn, "u" + turn));
      text.user("x" + turn, main, "tried").line(answer("y" + turn, "x" + turn));
      main = "v" + turn;
    }

    assertThat(patient(text).found().counts()).isEmpty();
  }

  @Test
  void aRecordBesideAnAnswerIsNamedForWhatItIs() throws IOException {
    String progress =
        "{\"type\":\"progress\",\"id\":\"p\",\"parentId\":\"a\","
            + "\"timestamp\":\"2026-11-27T20:37:23Z\"}";
    SessionText before =
        SessionText.headed().user("a", null, "question").line(progress).line(answer("b", "a"));
    SessionText behind =
        SessionText.headed()
            .user("a", null, "question")
            .line(answer("b", "a"))
            .line(progress)
            .user("c", "p", "on");

    for (SessionText text : new SessionText[] {before, behind}) {
      assertThat(patient(text).found().counts())
          .containsOnlyKeys(SessionProblem.BESIDE_MESSAGE, SessionProblem.UNKNOWN_TYPE);
      assertThat(patient(text).found().healthy()).isFalse();
    }
  }

  @Test
  void aRecordWithoutIdIsDamageAndTheCopyHasTheWholeConversation() throws IOException {
    Patient patient = patient(three().line("{\"type\":\"marker\",\"uuid\":\"5f\"}"));

    assertThat(patient.finding(SessionProblem.NO_ID).detail()).isEqualTo("type 'marker'");
    assertThat(patient.found().healthy()).isFalse();
    assertThat(patient.copy()).hasBinaryContent(three().bytes());
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aMessageWithoutIdGetsOne() throws IOException {
    Patient patient = patient(three().line(answer("d", "c").replace("\"id\":\"d\",", "")));

    assertThat(patient.finding(SessionProblem.NO_ID).line()).isEqualTo(5);
    assertThat(patient.copyLines()).hasSize(5);
    assertThat(patient.copyLines().getLast())
        .matches("\\{\"id\":\"[0-9a-f]{8}\",\"type\":\"message\",\"parentId\":\"c\".*");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void timesThatAreMissingOrAheadAreNoticed() throws IOException {
    String entry = SessionText.entry("d", "c", "x");
    Patient ahead = patient(three().line(entry.replace("2026-11", "2031-01")));
    Patient missing = patient(three().line(entry.replace("\"timestamp\"", "\"time\"")));
    Patient odd = patient(three().line(entry.replace("2026-11-27T", "yesterday ")));

    assertThat(ahead.finding(SessionProblem.TIME_AHEAD).line()).isEqualTo(5);
    assertThat(missing.finding(SessionProblem.NO_TIME).line()).isEqualTo(5);
    assertThat(odd.finding(SessionProblem.NO_TIME).detail()).startsWith("'yesterday");
    for (Patient patient : new Patient[] {ahead, missing, odd}) {
      assertThat(patient.found().healthy()).isFalse();
      assertThat(patient.found().counts()).hasSize(1);
      assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
    }
    SessionText headless =
        new SessionText().line(three().lines().getFirst().replace("2026", "2031"));
    assertThat(patient(headless.user("a", null, "x")).found().counts())
        .containsOnlyKeys(SessionProblem.TIME_AHEAD);
  }

  @Test
  void aVeryLongLineIsDamagedOnlyIfItDoesNotClose() throws IOException {
    String[] around = SessionText.entry("d", "c", "@").split("@");
    byte[] filling = utf8("x".repeat(1 << 20));
    for (boolean whole : new boolean[] {true, false}) {
      Path file = folder.resolve("long.jsonl");
      try (OutputStream out = Files.newOutputStream(file)) {
        out.write(three().bytes());
        out.write(utf8(around[0]));
        for (int i = 0; i < 65; i++) {
          out.write(filling);
        }
        out.write(utf8(whole ? around[1] + "\n" : "\n"));
        out.write(utf8(SessionText.entry("e", "d", "on") + "\n"));
      }

      SessionDiagnosis found = FileExamination.of(file, null, Patient.NOW, _ -> {});

      assertThat(found.entries()).isEqualTo(5);
      assertThat(found.healthy()).isEqualTo(whole);
      if (whole) {
        assertThat(found.counts()).containsOnlyKeys(SessionProblem.TOO_LONG);
      } else {
        assertThat(found.counts()).containsKey(SessionProblem.LONG_LINE_DAMAGED);
      }
    }
  }

  @Test
  void aFileOfAnotherAgentIsRefusedByName() throws IOException {
    Path claude =
        Files.writeString(
            folder.resolve("claude.jsonl"),
            "{\"parentUuid\":null,\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"s\"}\n");

    assertThatThrownBy(() -> FileExamination.of(claude, null, Patient.NOW, _ -> {}))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("expected a session of Pi, found a Claude Code transcript");
  }

  @Test
  void whatIsMerelyOddIsANote() throws IOException {
    byte[] crlf = utf8(new String(three().bytes(), StandardCharsets.UTF_8).replace("\n", "\r\n"));
    Patient patient = Patient.of(folder, "s.jsonl", crlf);
    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.CARRIAGE_RETURNS);
    assertThat(patient.found().healthy()).isTrue();
    assertThat(patient.copy()).hasBinaryContent(crlf);

    SessionText odd =
        three()
            .line("")
            .line(
                "{\"type\":\"file-history-delta\",\"id\":\"d\",\"parentId\":\"c\",\"timestamp\":\"2026-11-27T20:37:23Z\"}")
            .line(
                "{\"type\":\"label\",\"id\":\"e\",\"parentId\":\"d\",\"targetId\":\"gone\",\"timestamp\":\"2026-11-27T20:37:23Z\"}");
    assertThat(patient(odd).found().counts())
        .containsOnlyKeys(SessionProblem.UNKNOWN_TYPE, SessionProblem.LABEL_WITHOUT_TARGET);
    assertThat(patient(odd).copy()).hasBinaryContent(odd.bytes());
  }

  @Test
  void wrongBytesInAnEntryAreToldAndKept() throws IOException {
    byte[] bytes = three().bytes();
    bytes[bytes.length - 7] = (byte) 0xFF;
    Patient patient = Patient.of(folder, "s.jsonl", bytes);

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.NOT_UTF8);
    assertThat(patient.copy()).hasBinaryContent(bytes);
  }

  @Test
  void aMissingLineFeedAtTheEndIsAdded() throws IOException {
    byte[] whole = three().bytes();
    Patient patient = Patient.of(folder, "s.jsonl", Arrays.copyOf(whole, whole.length - 1));

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.NO_LINE_FEED_AT_END);
    assertThat(patient.copy()).hasBinaryContent(whole);
  }

  @Test
  void whatIsNoSessionIsNotRepaired() throws IOException {
    Path notes = Files.writeString(folder.resolve("notes.jsonl"), "my notes\n");
    SessionDiagnosis found = FileExamination.of(notes, null, Patient.NOW, _ -> {});

    assertThat(found.counts()).containsKey(SessionProblem.NOT_A_SESSION);
    assertThatThrownBy(() -> RepairWriter.write(found, folder.resolve("copy"), _ -> {}))
        .isInstanceOf(StoreException.Invalid.class);
    Path empty = Files.write(folder.resolve("empty.jsonl"), new byte[0]);
    assertThat(FileExamination.of(empty, null, Patient.NOW, _ -> {}).counts())
        .containsOnlyKeys(SessionProblem.EMPTY);
    assertThat(folder.resolve("copy")).doesNotExist();
  }
}
