// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Which Varve this is. The build writes it into `version.txt`, from the one place that knows: the
/// root POM.
final class Version {

  private Version() {}

  static String text() {
    try (InputStream file = Version.class.getResourceAsStream("version.txt")) {
      byte[] text = Objects.requireNonNull(file, "version.txt").readAllBytes();
      return "varve " + new String(text, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int print(Terminal terminal) {
    try {
      terminal.println(text());
      terminal.flush();
      return ExitCodes.OK;
    } catch (OutputFailed e) {
      return Ending.of(e, terminal);
    }
  }
}
