// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.pi.SessionText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExaminationTest {

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

    Finding finding = patient.finding(Ailment.TORN_TAIL);
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

    assertThat(patient.finding(Ailment.GLUED).sizeBytes()).isEqualTo(torn.length());
    assertThat(patient.finding(Ailment.GLUED).detail()).contains("entry d");
    assertThat(patient.copyLines()).hasSize(6).contains(entry("d", "c"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void twoEntriesOnOneLineAreSeparated() throws IOException {
    Patient patient = patient(three().line(entry("d", "c") + entry("e", "d")));

    assertThat(patient.finding(Ailment.LINE_FEED_MISSING).detail()).contains("entry e");
    assertThat(patient.copyLines()).hasSize(6).endsWith(entry("d", "c"), entry("e", "d"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aStretchOfZerosIsLeftOut() throws IOException {
    Patient patient = patient(three().line("\0".repeat(500)).user("d", "c", "on"));

    assertThat(patient.finding(Ailment.ZEROS).sizeBytes()).isEqualTo(500);
    assertThat(patient.after().counts()).isEmpty();
    Patient glued = patient(three().line("\0".repeat(500) + entry("d", "c")));
    assertThat(glued.finding(Ailment.ZEROS)).isNotNull();
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
        text.line("{\"type\":\"message\",\"id\":\"" + i + "\",\"parentId\":" + parent + "," + call);
      }
    }

    Patient patient = patient(text);

    assertThat(patient.finding(Ailment.REPEATED).detail()).isEqualTo("40000 entries");
    assertThat(patient.found().counts()).containsOnlyKeys(Ailment.REPEATED);
  }

  @Test
  void aRepeatedBeginningCollapses() throws IOException {
    SessionText text = three();
    text.line(text.lines().get(0)).line(text.lines().get(1)).line(text.lines().get(2));
    Patient patient = patient(text.user("d", "c", "on"));

    assertThat(patient.finding(Ailment.SECOND_HEADER).detail()).isEqualTo("the same again");
    assertThat(patient.finding(Ailment.REPEATED).detail()).isEqualTo("2 entries");
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

    assertThat(patient.finding(Ailment.SAME_ID).line()).isEqualTo(3);
    assertThat(patient.copyLines()).hasSize(5);
    assertThat(patient.copyLines().get(2)).contains("first").doesNotContain("\"id\":\"x\"");
    assertThat(patient.copyLines().get(4)).isEqualTo(patient.copyLines().get(4)).contains("second");
    assertThat(patient.after().counts())
        .as("b stands before its parent")
        .containsOnlyKeys(Ailment.PARENT_LATER);
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

    assertThat(patient.found().counts()).containsKeys(Ailment.SAME_ID, Ailment.CIRCLE);
    assertThat(patient.after().healthy()).isTrue();
    assertThat(patient.after().entries()).isEqualTo(4);
  }

  @Test
  void aCircleOfTheFirstEntriesBeginsWithARoot() throws IOException {
    Patient patient = patient(SessionText.headed().user("a", "b", "x").user("b", "a", "y"));

    assertThat(patient.finding(Ailment.CIRCLE).line()).isEqualTo(2);
    assertThat(patient.copyLines().get(1)).contains("\"id\":\"a\",\"parentId\":null");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void anOrphanFollowsTheEntryBeforeIt() throws IOException {
    Patient patient = patient(three().user("d", "gone", "lost").user("e", "d", "on"));

    assertThat(patient.finding(Ailment.ORPHAN).detail())
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
                "{\"type\":\"session\",\"version\":3,\"id\":\"f\",\"cwd\":\"/\","
                    + "\"parentSession\":\"/nowhere/parent.jsonl\"}")
            .user("a", null, "x")
            .user("b", "a", "y")
            .user("c", "l", "z");

    Patient patient = patient(fork);

    assertThat(patient.finding(Ailment.ORPHAN_AFTER_FORK).detail())
        .contains("would follow line 2")
        .contains("as in the session that it was forked from");
    assertThat(patient.copyLines().get(3)).contains("\"id\":\"c\",\"parentId\":\"a\"");
    Files.delete(folder.resolve("parent.jsonl"));
    assertThat(patient(fork).finding(Ailment.ORPHAN_AFTER_FORK).detail())
        .as("a guess, when it is not at hand")
        .endsWith("would follow line 3");
  }

  @Test
  void aMissingHeaderIsMadeFromTheNamesOfFileAndFolder() throws IOException {
    Path sessions = Files.createDirectory(folder.resolve("--src-shop--"));
    byte[] bytes = new SessionText().user("a", "gone", "x").user("b", "a", "y").bytes();
    Patient patient = Patient.of(sessions, "2026-11-27T20-37-21-818Z_my.id.jsonl", bytes);

    assertThat(patient.found().counts()).containsKeys(Ailment.NO_HEADER, Ailment.ORPHAN);
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

    Diagnosis found = Examination.of(file, "/my/folder", _ -> {});

    Repair.write(found, folder.resolve("copy.jsonl"), _ -> {});
    assertThat(Files.readString(folder.resolve("copy.jsonl")))
        .contains("\"cwd\":\"/my/folder\"")
        .contains("\"timestamp\":\"2026-11-27T20:37:22.033Z\"");
  }

  @Test
  void aHeaderFurtherDownIsPutFirst() throws IOException {
    SessionText text = new SessionText().user("a", null, "x").line(three().lines().getFirst());
    Patient patient = patient(text.user("b", "a", "y"));

    assertThat(patient.finding(Ailment.HEADER_NOT_FIRST).line()).isEqualTo(2);
    assertThat(patient.copyLines()).hasSize(3).first().asString().contains("\"session\"");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aByteOrderMarkIsLeftOut() throws IOException {
    byte[] bytes = utf8("\uFEFF" + new String(three().bytes(), StandardCharsets.UTF_8));
    Patient patient = Patient.of(folder, "s.jsonl", bytes);

    assertThat(patient.found().counts()).containsOnlyKeys(Ailment.BYTE_ORDER_MARK);
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

    assertThat(patient.finding(Ailment.TWO_WRITERS).detail()).startsWith("2 times");
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
    return ("{\"type\":\"message\",\"id\":\"%s\",\"parentId\":\"%s\",\"message\":"
            + "{\"role\":\"assistant\",\"content\":[],\"stopReason\":\"stop\"}}")
        .formatted(id, parent);
  }

  @Test
  void whatIsMerelyOddIsANote() throws IOException {
    byte[] crlf = utf8(new String(three().bytes(), StandardCharsets.UTF_8).replace("\n", "\r\n"));
    Patient patient = Patient.of(folder, "s.jsonl", crlf);
    assertThat(patient.found().counts()).containsOnlyKeys(Ailment.CARRIAGE_RETURNS);
    assertThat(patient.found().healthy()).isTrue();
    assertThat(patient.copy()).hasBinaryContent(crlf);

    SessionText odd =
        three()
            .line("")
            .line("{\"type\":\"file-history-delta\",\"id\":\"d\",\"parentId\":\"c\"}")
            .line("{\"type\":\"label\",\"id\":\"e\",\"parentId\":\"d\",\"targetId\":\"gone\"}");
    assertThat(patient(odd).found().counts())
        .containsOnlyKeys(Ailment.UNKNOWN_TYPE, Ailment.LABEL_WITHOUT_TARGET);
    assertThat(patient(odd).copy()).hasBinaryContent(odd.bytes());
  }

  @Test
  void wrongBytesInAnEntryAreToldAndKept() throws IOException {
    byte[] bytes = three().bytes();
    bytes[bytes.length - 7] = (byte) 0xFF;
    Patient patient = Patient.of(folder, "s.jsonl", bytes);

    assertThat(patient.found().counts()).containsOnlyKeys(Ailment.NOT_UTF8);
    assertThat(patient.copy()).hasBinaryContent(bytes);
  }

  @Test
  void aMissingLineFeedAtTheEndIsAdded() throws IOException {
    byte[] whole = three().bytes();
    Patient patient = Patient.of(folder, "s.jsonl", Arrays.copyOf(whole, whole.length - 1));

    assertThat(patient.found().counts()).containsOnlyKeys(Ailment.NO_LINE_FEED_AT_END);
    assertThat(patient.copy()).hasBinaryContent(whole);
  }

  @Test
  void whatIsNoSessionIsNotRepaired() throws IOException {
    Path notes = Files.writeString(folder.resolve("notes.jsonl"), "my notes\n");
    Diagnosis found = Examination.of(notes, null, _ -> {});

    assertThat(found.counts()).containsKey(Ailment.NOT_A_SESSION);
    assertThatThrownBy(() -> Repair.write(found, folder.resolve("copy"), _ -> {}))
        .isInstanceOf(StoreException.Invalid.class);
    Path empty = Files.write(folder.resolve("empty.jsonl"), new byte[0]);
    assertThat(Examination.of(empty, null, _ -> {}).counts()).containsOnlyKeys(Ailment.EMPTY);
    assertThat(folder.resolve("copy")).doesNotExist();
  }
}
