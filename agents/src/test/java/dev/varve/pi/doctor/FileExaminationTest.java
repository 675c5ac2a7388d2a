// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions that are sound or merely odd, and files that are none.
class FileExaminationTest {

  @TempDir Path folder;

  private Patient patient(SessionText text) throws IOException {
    return Patient.of(folder, text);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aHealthySessionIsHealthyAndItsCopyTheSame() throws IOException {
    Patient patient = patient(SessionText.three());

    assertThat(patient.found().healthy()).isTrue();
    assertThat(patient.found().counts()).isEmpty();
    assertThat(patient.found().entries()).isEqualTo(3);
    assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
  }

  @Test
  void manyRepetitionsAreOneFindingAndTheCopyHasEachEntryOnce() throws IOException {
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
    assertThat(patient.found().findings()).hasSize(1);
    assertThat(patient.copyLines()).isEqualTo(text.lines().subList(0, 40_001));
  }

  @Test
  void timesThatAreMissingOrAheadAreNoticed() throws IOException {
    String entry = SessionText.entry("d", "c", "x");
    Patient ahead = patient(SessionText.three().line(entry.replace("2026-11", "2031-01")));
    Patient missing = patient(SessionText.three().line(entry.replace("\"timestamp\"", "\"time\"")));
    Patient odd = patient(SessionText.three().line(entry.replace("2026-11-27T", "yesterday ")));

    assertThat(ahead.finding(SessionProblem.TIME_AHEAD).line()).isEqualTo(5);
    assertThat(missing.finding(SessionProblem.NO_TIME).line()).isEqualTo(5);
    assertThat(odd.finding(SessionProblem.NO_TIME).detail()).startsWith("'yesterday");
    for (Patient patient : new Patient[] {ahead, missing, odd}) {
      assertThat(patient.found().healthy()).isFalse();
      assertThat(patient.found().counts()).hasSize(1);
      assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
    }
    SessionText headless =
        new SessionText().line(SessionText.three().lines().getFirst().replace("2026", "2031"));
    assertThat(patient(headless.user("a", null, "x")).found().counts())
        .containsOnlyKeys(SessionProblem.TIME_AHEAD);
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
    byte[] crlf =
        utf8(new String(SessionText.three().bytes(), StandardCharsets.UTF_8).replace("\n", "\r\n"));
    Patient patient = Patient.of(folder, "s.jsonl", crlf);
    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.CARRIAGE_RETURNS);
    assertThat(patient.found().healthy()).isTrue();
    assertThat(patient.copy()).hasBinaryContent(crlf);

    SessionText odd =
        SessionText.three()
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
