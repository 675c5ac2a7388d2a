// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.store.SessionText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// A damaged session in a folder, examined and repaired.
record Patient(Path file, SessionDiagnosis found, Path copy, SessionDiagnosis after) {

  /// Some time after those in the sessions.
  static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  static Patient of(Path folder, SessionText text) throws IOException {
    return of(folder, "s.jsonl", text.bytes());
  }

  /// Sees that copy and journal give the original back.
  static Patient of(Path folder, String name, byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    Path copy = folder.resolve("copy.jsonl");
    Files.deleteIfExists(copy);
    Files.deleteIfExists(RepairWriter.journalOf(copy));
    SessionDiagnosis found = FileExamination.of(file, null, NOW, _ -> {});
    RepairReport report = RepairWriter.write(found, copy, _ -> {});
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    OriginalFile.write(
        copy,
        report.journal(),
        part -> again.write(part.array(), part.arrayOffset() + part.position(), part.remaining()));
    assertThat(again.toByteArray()).isEqualTo(bytes);
    assertThat(file).hasBinaryContent(bytes);
    return new Patient(file, found, copy, FileExamination.of(copy, null, NOW, _ -> {}));
  }

  List<String> copyLines() throws IOException {
    return Files.readString(copy, StandardCharsets.UTF_8).lines().toList();
  }

  ProblemPlace finding(SessionProblem problem) {
    return found.findings().stream()
        .filter(finding -> finding.problem() == problem)
        .findFirst()
        .orElseThrow(() -> new AssertionError(problem + " not found among " + found.counts()));
  }
}
