// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.SessionText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A damaged session in a folder, examined and repaired.
record Patient(Path file, Diagnosis found, Path copy, Diagnosis after) {

  static Patient of(Path folder, SessionText text) throws IOException {
    return of(folder, "s.jsonl", text.bytes());
  }

  /// Sees that copy and journal give the original back.
  static Patient of(Path folder, String name, byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    Path copy = folder.resolve("copy.jsonl");
    Files.deleteIfExists(copy);
    Files.deleteIfExists(Repair.journalOf(copy));
    Diagnosis found = Examination.of(file, null, _ -> {});
    RepairReport report = Repair.write(found, copy, _ -> {});
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    Original.write(
        copy,
        report.journal(),
        part -> again.write(part.array(), part.arrayOffset() + part.position(), part.remaining()));
    assertThat(again.toByteArray()).isEqualTo(bytes);
    assertThat(file).hasBinaryContent(bytes);
    return new Patient(file, found, copy, Examination.of(copy, null, _ -> {}));
  }

  List<String> copyLines() throws IOException {
    return Files.readString(copy, StandardCharsets.UTF_8).lines().toList();
  }

  Finding finding(Ailment ailment) {
    return found.findings().stream()
        .filter(finding -> finding.ailment() == ailment)
        .findFirst()
        .orElseThrow(() -> new AssertionError(ailment + " not found among " + found.counts()));
  }
}
