// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Limits;
import dev.varve.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Bytes from a file or from standard input, never more than a payload may have.
final class Input {

  private Input() {}

  /// @param name a path; `-` for standard input
  static Payload read(String name, Terminal terminal) {
    boolean standard = name.equals("-");
    if (standard && terminal.inIsTerminal()) {
      terminal.say("Reading what you type; Ctrl-D on a line of its own ends it.");
    }
    try (InputStream in = standard ? terminal.in() : Files.newInputStream(Path.of(name))) {
      byte[] bytes = in.readNBytes(Limits.DEFAULTS.payloadBytes() + 1);
      Limits.DEFAULTS.checkPayload(bytes.length);
      return Payload.wrap(bytes);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new Refusal(ExitCodes.NOT_FOUND, name + ": no such file", null);
    } catch (IOException e) {
      throw new Refusal(
          ExitCodes.INPUT_OUTPUT, name + ": cannot be read: " + Ending.reason(e, name), null);
    }
  }
}
