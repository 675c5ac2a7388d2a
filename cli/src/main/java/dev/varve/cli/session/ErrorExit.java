// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.StoreException;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.OutputFailure;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The end of a command that could not finish: a sentence on standard error, a hint where a hint
/// helps, and an exit status. A stack trace is printed only with `VARVE_TRACE=1`.
public final class ErrorExit {

  /// The hint for a command that ran out of memory.
  static final String MORE_MEMORY = "VARVE_JAVA_OPTS=-Xmx4g gives Varve more memory.";

  private ErrorExit() {}

  /// Reports what went wrong and returns the exit status.
  public static int of(Throwable wrong, Terminal terminal) {
    int status =
        switch (wrong) {
          case OutputFailure e when e.readerLeft() -> ExitCodes.BROKEN_PIPE;
          case OutputFailure e ->
              refused(ExitCodes.INPUT_OUTPUT, "standard output: " + sentence(e), null, terminal);
          case StoreException.Io e -> refused(ExitCodes.of(e), sentence(e), null, terminal);
          case StoreException e ->
              refused(ExitCodes.of(e), sentence(e), ErrorHints.of(e), terminal);
          case CommandException e -> refused(e.status(), sentence(e), e.hint(), terminal);
          case OutOfMemoryError _ ->
              refused(
                  ExitCodes.UNAVAILABLE,
                  "this takes more memory than Java was given, "
                      + HumanText.size(Runtime.getRuntime().maxMemory()),
                  MORE_MEMORY,
                  terminal);
          default -> mistaken(wrong, terminal);
        };
    if (traces(terminal) && status != ExitCodes.BROKEN_PIPE) {
      StringWriter trace = new StringWriter();
      wrong.printStackTrace(new PrintWriter(trace));
      trace.toString().replace("\t", "  ").lines().map(StyledLine::of).forEach(terminal::complain);
    }
    return status;
  }

  /// Reports that the command was called wrongly.
  static int misused(String command, String why, List<String> meant, Terminal terminal) {
    complain(command + ": " + why, terminal);
    if (meant.isEmpty()) {
      terminal.say("Try '" + command + " --help'.");
    } else {
      terminal.say("Did you mean " + String.join(" or ", meant) + "?");
    }
    return ExitCodes.USAGE;
  }

  private static int refused(int status, String what, @Nullable String hint, Terminal terminal) {
    complain("varve: " + what, terminal);
    if (hint != null) {
      hint.lines().flatMap(line -> folded(line, terminal)).forEach(terminal::say);
    }
    return status;
  }

  private static int mistaken(Throwable wrong, Terminal terminal) {
    complain(
        "varve: a mistake in Varve: " + wrong.getClass().getSimpleName() + ": " + sentence(wrong),
        terminal);
    if (!traces(terminal)) {
      terminal.complain(
          StyledLine.of("VARVE_TRACE=1 shows the place in the code. Please report the mistake."));
    }
    return ExitCodes.INTERNAL;
  }

  private static String sentence(Throwable wrong) {
    String message = wrong.getMessage();
    return message == null ? "no more is known" : message;
  }

  /// The message of a failed read or write, with the reason that the operating system gave where
  /// the message lacks it.
  public static String sentence(StoreException.Io e) {
    String message = String.valueOf(e.getMessage());
    if (!(e.getCause() instanceof IOException cause)) {
      return message;
    }
    String why =
        switch (cause) {
          case AccessDeniedException _ -> "permission denied";
          case NoSuchFileException _ -> "no such file or folder";
          case FileSystemException failed when failed.getReason() != null -> failed.getReason();
          case FileSystemException _ -> "";
          default ->
              cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        };
    return why.isEmpty() || message.contains(why) ? message : message + ": " + why;
  }

  /// The reason why a file could not be read or written, without the file's name, which many
  /// messages repeat.
  public static String reason(IOException e, String file) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String message = sentence(e);
    return message.startsWith(file + ": ") ? message.substring(file.length() + 2) : message;
  }

  private static void complain(String what, Terminal terminal) {
    folded(what, terminal)
        .forEach(line -> terminal.complain(new StyledLine().add(StyledLine.Style.RED, line)));
  }

  /// The lines for a person at a terminal; one line for a program, which looks for sentences.
  private static Stream<String> folded(String line, Terminal terminal) {
    return terminal.errIsTerminal()
        ? SafeText.fold(line, terminal.columns()).stream()
        : Stream.of(line);
  }

  private static boolean traces(Terminal terminal) {
    return terminal.variable("VARVE_TRACE").equals("1");
  }
}
