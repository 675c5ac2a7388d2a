// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.pi.RandomSession;
import dev.varve.pi.SessionText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairTest {

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
      if (!Examination.of(file, null, _ -> {}).repairable()) {
        continue;
      }
      Patient patient = Patient.of(folder, "s.jsonl", bytes);

      long repeated =
          patient.found().findings().stream()
              .filter(finding -> finding.ailment() == Ailment.REPEATED)
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
  private static boolean onlyWrongBytes(Diagnosis after) {
    return after.counts().keySet().stream()
        .allMatch(
            ailment -> ailment == Ailment.NOT_UTF8 || ailment.severity() == Ailment.Severity.NOTE);
  }

  private Diagnosis examined() throws IOException {
    Path file =
        SessionText.headed()
            .user("a", null, "x")
            .line("{\"torn")
            .user("b", "a", "y")
            .write(folder.resolve("s.jsonl"));
    return Examination.of(file, null, _ -> {});
  }

  @Test
  void anExistingFileIsNeverTouched() throws IOException {
    Diagnosis found = examined();
    Path mine = Files.writeString(folder.resolve("mine"), "mine");
    Path other = folder.resolve("other");
    Files.writeString(Repair.journalOf(other), "mine too");

    for (Path target : List.of(mine, other, found.file())) {
      assertThatThrownBy(() -> Repair.write(found, target, _ -> {}))
          .isInstanceOf(StoreException.Conflict.class);
    }
    assertThat(mine).hasContent("mine");
    assertThat(Repair.journalOf(other)).hasContent("mine too");
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
    Diagnosis found = examined();
    Files.writeString(found.file(), Files.readString(found.file()).replace("\"x\"", "\"z\""));

    assertThatThrownBy(() -> Repair.write(found, folder.resolve("copy"), _ -> {}))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(names()).hasSize(1);
  }

  @Test
  void whatIsAppendedMeanwhileDoesNotMatter() throws IOException {
    Diagnosis found = examined();
    Files.writeString(found.file(), "more\n", StandardOpenOption.APPEND);

    assertThat(Repair.write(found, folder.resolve("copy"), _ -> {}).entries()).isEqualTo(2);
  }

  @Test
  void aJournalThatDoesNotFitItsCopyIsRefused() throws IOException {
    Diagnosis found = examined();
    Path copy = folder.resolve("copy");
    Repair.write(found, copy, _ -> {});
    Files.writeString(copy, Files.readString(copy).replace("\"x\"", "\"z\""));

    assertThatThrownBy(() -> Original.write(copy, Repair.journalOf(copy), _ -> {}))
        .isInstanceOf(StoreException.Corrupt.class);
  }
}
