// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions with lines that are torn, glued or filled with other bytes.
class DamagedLinesTest {

  @TempDir Path folder;

  private Patient patient(SessionText text) throws IOException {
    return Patient.of(folder, text);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String entry(String id, String parent) {
    return SessionText.entry(id, parent, "text");
  }

  @Test
  void aTornTailIsToldWithItsPlaceAndLeftOut() throws IOException {
    byte[] whole = SessionText.three().bytes();
    byte[] torn = Arrays.copyOf(whole, whole.length - 40);
    Patient patient = Patient.of(folder, "s.jsonl", torn);

    ProblemPlace finding = patient.finding(SessionProblem.TORN_TAIL);
    assertThat(finding.line()).isEqualTo(4);
    assertThat(finding.offset() + finding.sizeBytes()).isEqualTo(torn.length);
    assertThat(patient.found().healthy()).isFalse();
    assertThat(patient.after().healthy()).isTrue();
    assertThat(patient.copyLines()).isEqualTo(SessionText.three().lines().subList(0, 3));
  }

  @Test
  void anEntryBehindTornBytesGetsALineOfItsOwn() throws IOException {
    String torn = "{\"type\":\"message\",\"id\":\"t\",\"par";
    Patient patient =
        patient(SessionText.three().line(torn + entry("d", "c")).user("e", "d", "on"));

    assertThat(patient.finding(SessionProblem.GLUED).sizeBytes()).isEqualTo(torn.length());
    assertThat(patient.finding(SessionProblem.GLUED).detail()).contains("entry d");
    assertThat(patient.copyLines()).hasSize(6).contains(entry("d", "c"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void twoEntriesOnOneLineAreSeparated() throws IOException {
    Patient patient = patient(SessionText.three().line(entry("d", "c") + entry("e", "d")));

    assertThat(patient.finding(SessionProblem.LINE_FEED_MISSING).detail()).contains("entry e");
    assertThat(patient.copyLines()).hasSize(6).endsWith(entry("d", "c"), entry("e", "d"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aStretchOfZerosIsLeftOut() throws IOException {
    Patient patient = patient(SessionText.three().line("\0".repeat(500)).user("d", "c", "on"));

    assertThat(patient.finding(SessionProblem.ZEROS).sizeBytes()).isEqualTo(500);
    assertThat(patient.copyLines()).hasSize(5).endsWith(SessionText.entry("d", "c", "on"));
    assertThat(patient.after().counts()).isEmpty();
    Patient glued = patient(SessionText.three().line("\0".repeat(500) + entry("d", "c")));
    assertThat(glued.finding(SessionProblem.ZEROS).sizeBytes()).isEqualTo(500);
    assertThat(glued.copyLines()).hasSize(5).endsWith(entry("d", "c"));
    assertThat(glued.after().counts()).isEmpty();
  }

  @Test
  void aByteOrderMarkIsLeftOut() throws IOException {
    byte[] bytes = utf8("\uFEFF" + new String(SessionText.three().bytes(), StandardCharsets.UTF_8));
    Patient patient = Patient.of(folder, "s.jsonl", bytes);

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.BYTE_ORDER_MARK);
    assertThat(patient.copy()).hasBinaryContent(SessionText.three().bytes());
  }

  @Test
  void aRecordWithoutIdIsDamageAndTheCopyHasTheWholeConversation() throws IOException {
    Patient patient = patient(SessionText.three().line("{\"type\":\"marker\",\"uuid\":\"5f\"}"));

    assertThat(patient.finding(SessionProblem.NO_ID).detail()).isEqualTo("type 'marker'");
    assertThat(patient.found().healthy()).isFalse();
    assertThat(patient.copy()).hasBinaryContent(SessionText.three().bytes());
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aMessageWithoutIdGetsOne() throws IOException {
    Patient patient =
        patient(
            SessionText.three().line(SessionText.answer("d", "c").replace("\"id\":\"d\",", "")));

    assertThat(patient.finding(SessionProblem.NO_ID).line()).isEqualTo(5);
    assertThat(patient.copyLines()).hasSize(5);
    assertThat(patient.copyLines().getLast())
        .matches("\\{\"id\":\"[0-9a-f]{8}\",\"type\":\"message\",\"parentId\":\"c\".*");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aVeryLongLineIsDamagedOnlyIfItDoesNotClose() throws IOException {
    String[] around = SessionText.entry("d", "c", "@").split("@");
    byte[] filling = utf8("x".repeat(1 << 20));
    for (boolean whole : new boolean[] {true, false}) {
      Path file = folder.resolve("long.jsonl");
      try (OutputStream out = Files.newOutputStream(file)) {
        out.write(SessionText.three().bytes());
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
  void wrongBytesInAnEntryAreToldAndKept() throws IOException {
    byte[] bytes = SessionText.three().bytes();
    bytes[bytes.length - 7] = (byte) 0xFF;
    Patient patient = Patient.of(folder, "s.jsonl", bytes);

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.NOT_UTF8);
    assertThat(patient.copy()).hasBinaryContent(bytes);
  }

  @Test
  void aMissingLineFeedAtTheEndIsAdded() throws IOException {
    byte[] whole = SessionText.three().bytes();
    Patient patient = Patient.of(folder, "s.jsonl", Arrays.copyOf(whole, whole.length - 1));

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.NO_LINE_FEED_AT_END);
    assertThat(patient.copy()).hasBinaryContent(whole);
  }
}
