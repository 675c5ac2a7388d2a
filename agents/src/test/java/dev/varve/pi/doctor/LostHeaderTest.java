// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions without a header, or with one in another place.
class LostHeaderTest {

  @TempDir Path folder;

  private Patient patient(SessionText text) throws IOException {
    return Patient.of(folder, text);
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
    SessionText text =
        new SessionText().user("a", null, "x").line(SessionText.three().lines().getFirst());
    Patient patient = patient(text.user("b", "a", "y"));

    assertThat(patient.finding(SessionProblem.HEADER_NOT_FIRST).line()).isEqualTo(2);
    assertThat(patient.copyLines()).hasSize(3).first().asString().contains("\"session\"");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aRepeatedBeginningCollapses() throws IOException {
    SessionText text = SessionText.three();
    text.line(text.lines().get(0)).line(text.lines().get(1)).line(text.lines().get(2));
    Patient patient = patient(text.user("d", "c", "on"));

    assertThat(patient.finding(SessionProblem.SECOND_HEADER).detail()).isEqualTo("the same again");
    assertThat(patient.finding(SessionProblem.REPEATED).detail()).isEqualTo("2 entries");
    assertThat(patient.copyLines()).hasSize(5);
    assertThat(patient.after().counts()).isEmpty();
  }
}
