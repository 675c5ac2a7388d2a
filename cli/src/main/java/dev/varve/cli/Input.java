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

/// Bytes from a file or from standard input.
final class Input {

  private Input() {}

  /// What is done with the bytes. Fails only where reading them does.
  interface Use<T> {
    T apply(InputStream in) throws IOException;
  }

  /// All bytes, never more than a payload may have.
  ///
  /// @param name a path; `-` for standard input
  static Payload read(String name, Terminal terminal) {
    return stream(
        name,
        terminal,
        in -> {
          byte[] bytes = in.readNBytes(Limits.DEFAULTS.payloadBytes() + 1);
          Limits.DEFAULTS.checkPayload(bytes.length);
          return Payload.wrap(bytes);
        });
  }

  /// Whether somebody types the bytes.
  static boolean isTyped(String name, Terminal terminal) {
    return name.equals("-") && terminal.inIsTerminal();
  }

  /// The bytes one after the other, however many.
  ///
  /// @param name a path; `-` for standard input
  static <T> T stream(String name, Terminal terminal, Use<T> use) {
    if (isTyped(name, terminal)) {
      terminal.say("Reading what you type; Ctrl-D on a line of its own ends it.");
    }
    try (InputStream in = name.equals("-") ? terminal.in() : Files.newInputStream(Path.of(name))) {
      return use.apply(in);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new Refusal(ExitCodes.NOT_FOUND, name + ": no such file", null);
    } catch (IOException e) {
      throw new Refusal(
          ExitCodes.INPUT_OUTPUT, name + ": cannot be read: " + Ending.reason(e, name), null);
    }
  }
}
