// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.Payload;
import dev.varve.StoreLimits;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The input of a command: bytes from a file or from standard input.
public final class CommandInput {

  private CommandInput() {}

  /// A consumer of the bytes. An [IOException] may come only from reading them.
  public interface Use<T> {
    T apply(InputStream in) throws IOException;
  }

  /// Reads all bytes. Refused where they are more than a payload may have.
  ///
  /// @param name a path; `-` for standard input
  public static Payload read(String name, Terminal terminal) {
    return stream(
        name,
        terminal,
        in -> {
          byte[] bytes = in.readNBytes(StoreLimits.DEFAULTS.payloadBytes() + 1);
          StoreLimits.DEFAULTS.checkPayload(bytes.length);
          return Payload.wrap(bytes);
        });
  }

  /// Returns whether the bytes come from a keyboard.
  public static boolean isTyped(String name, Terminal terminal) {
    return name.equals("-") && terminal.inIsTerminal();
  }

  /// Hands the bytes to `use` as a stream, however many they are.
  ///
  /// @param name a path; `-` for standard input
  public static <T> T stream(String name, Terminal terminal, Use<T> use) {
    if (isTyped(name, terminal)) {
      terminal.say("Reading what you type; Ctrl-D on a line of its own ends it.");
    }
    try (InputStream in = name.equals("-") ? terminal.in() : Files.newInputStream(Path.of(name))) {
      return use.apply(in);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new CommandException(ExitCodes.NOT_FOUND, name + ": no such file", null);
    } catch (IOException e) {
      throw new CommandException(
          ExitCodes.INPUT_OUTPUT, name + ": cannot be read: " + ErrorExit.reason(e, name), null);
    }
  }
}
