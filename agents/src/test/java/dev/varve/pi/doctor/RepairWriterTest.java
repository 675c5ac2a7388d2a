// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.pi.store.RandomSession;
import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairWriterTest {

  @TempDir Path folder;

  @Test
  void whateverHappenedToAFileItsCopyIsSoundAndNothingIsLost() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomSession session = new RandomSession(random);
      for (int i = random.nextInt(25); i >= 0; i--) {
        session.grow();
      }
      byte[] bytes = session.damaged();
      Path file = Files.write(folder.resolve("s.jsonl"), bytes);
      if (!FileExamination.of(file, null, Patient.NOW, _ -> {}).repairable()) {
        continue;
      }
      Patient patient = Patient.of(folder, "s.jsonl", bytes);

      long repeated =
          patient.found().findings().stream()
              .filter(finding -> finding.problem() == SessionProblem.REPEATED)
              .mapToLong(finding -> Long.parseLong(finding.detail().split(" ")[0]))
              .sum();
      assertThat(patient.after().healthy() || onlyWrongBytes(patient.after()))
          .as("seed %d: %s, then %s", seed, patient.found().counts(), patient.after().counts())
          .isTrue();
      assertThat(patient.after().entries())
          .as("seed %d", seed)
          .isEqualTo((int) (patient.found().entries() - repeated));
    }
  }

  /// Which are kept as they are.
  private static boolean onlyWrongBytes(SessionDiagnosis after) {
    return after.counts().keySet().stream()
        .allMatch(
            problem ->
                problem == SessionProblem.NOT_UTF8
                    || problem == SessionProblem.NO_TIME
                    || problem == SessionProblem.TAKING_TURNS
                    || problem == SessionProblem.BESIDE_MESSAGE
                    || problem.severity() == SessionProblem.Severity.NOTE);
  }

  private SessionDiagnosis examined() throws IOException {
    Path file =
        SessionText.headed()
            .user("a", null, "x")
            .line("{\"torn")
            .user("b", "a", "y")
            .write(folder.resolve("s.jsonl"));
    return FileExamination.of(file, null, Patient.NOW, _ -> {});
  }

  @Test
  void anExistingFileIsNeverTouched() throws IOException {
    SessionDiagnosis found = examined();
    Path mine = Files.writeString(folder.resolve("mine"), "mine");
    Path other = folder.resolve("other");
    Files.writeString(RepairWriter.journalOf(other), "mine too");

    for (Path target : List.of(mine, other, found.file())) {
      assertThatThrownBy(() -> RepairWriter.write(found, target, _ -> {}))
          .isInstanceOf(StoreException.Conflict.class);
    }
    assertThat(mine).hasContent("mine");
    assertThat(RepairWriter.journalOf(other)).hasContent("mine too");
    assertThat(other).doesNotExist();
    assertThat(names()).as("no drafts are left").hasSize(3);
  }

  private List<Path> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void aFileThatChangedSinceItWasExaminedIsNotCopied() throws IOException {
    SessionDiagnosis found = examined();
    Files.writeString(found.file(), Files.readString(found.file()).replace("\"x\"", "\"z\""));

    assertThatThrownBy(() -> RepairWriter.write(found, folder.resolve("copy"), _ -> {}))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(names()).hasSize(1);
  }

  @Test
  void whatIsAppendedMeanwhileDoesNotMatter() throws IOException {
    SessionDiagnosis found = examined();
    Files.writeString(found.file(), "more\n", StandardOpenOption.APPEND);

    assertThat(RepairWriter.write(found, folder.resolve("copy"), _ -> {}).entries()).isEqualTo(2);
  }

  @Test
  void aJournalThatDoesNotFitItsCopyIsRefused() throws IOException {
    SessionDiagnosis found = examined();
    Path copy = folder.resolve("copy");
    RepairWriter.write(found, copy, _ -> {});
    Files.writeString(copy, Files.readString(copy).replace("\"x\"", "\"z\""));

    assertThatThrownBy(() -> OriginalFile.write(copy, RepairWriter.journalOf(copy), _ -> {}))
        .isInstanceOf(StoreException.Corrupt.class);
  }
}
