// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.cli.terminal.OutputFailure;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// The version of this Varve. The build writes the version from the root POM into `version.txt`.
public final class Version {

  private Version() {}

  public static String text() {
    try (InputStream file = Version.class.getResourceAsStream("version.txt")) {
      byte[] text = Objects.requireNonNull(file, "version.txt").readAllBytes();
      return "varve " + new String(text, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static int print(Terminal terminal) {
    try {
      terminal.println(text());
      terminal.flush();
      return ExitCodes.OK;
    } catch (OutputFailure e) {
      return ErrorExit.of(e, terminal);
    }
  }
}
