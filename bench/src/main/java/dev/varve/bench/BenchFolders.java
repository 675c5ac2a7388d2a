// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// Folders that a benchmark makes, measures and removes.
final class BenchFolders {

  private BenchFolders() {}

  static Path make(Path parent) throws IOException {
    return Files.createTempDirectory(parent, "varve-bench-");
  }

  /// Size of all files below.
  static long sizeBytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
