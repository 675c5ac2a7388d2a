// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Output that somebody has read and found right, kept beside the tests. `-Dapprove=true` writes it
/// anew, to be read as a diff.
public final class Approved {

  private static final Path FOLDER =
      Path.of(
          System.getProperty("root.dir"),
          "cli",
          "src",
          "test",
          "resources",
          "dev",
          "varve",
          "cli",
          "approved");

  private Approved() {}

  public static void check(String name, String actual) {
    Path file = FOLDER.resolve(name + ".txt");
    try {
      if (Boolean.getBoolean("approve")) {
        Files.writeString(file, actual);
      }
      assertThat(actual)
          .as("%s; read the difference, then -Dapprove=true", file)
          .isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError(file + ": " + e, e);
    }
  }
}
