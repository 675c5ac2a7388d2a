// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.Payload;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.MessageForm;
import dev.varve.cli.terminal.Terminal;
import dev.varve.server.logs.LogConfig;
import dev.varve.server.logs.LogFormat;
import dev.varve.server.logs.LogLine;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options about the logs of a service.
final class LogOptions {

  private static final Path STANDARD_OUTPUT = Path.of("-");

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description = "Records each write with its writer, one JSON object a line.")
  private @Nullable Path audit;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description = "Records each request of both ports, one a line; - is standard output.")
  private @Nullable Path access;

  @Option(
      names = "--slow-ms",
      paramLabel = "N",
      description =
          "Reports each request that takes N milliseconds or more on standard error; 0 for none"
              + " (default).")
  private int slowMillis;

  @Option(
      names = "--log-format",
      paramLabel = "FORM",
      description = "The form of these lines and of standard error: text (default) or json.")
  private String format = "text";

  /// The configuration of the logs.
  LogConfig config(Terminal terminal) {
    LogFormat form = format();
    if (slowMillis < 0) {
      throw new CommandException(
          ExitCodes.USAGE, "--slow-ms: expected 0 or more, found " + slowMillis, null);
    }
    LogConfig config = LogConfig.NONE.withAudit(audit).withFormat(form);
    if (access != null) {
      config =
          access.equals(STANDARD_OUTPUT)
              ? config.withAccess(() -> lines -> print(terminal, lines))
              : config.withAccess(access);
    }
    return slowMillis == 0
        ? config
        : config.withSlow(Duration.ofMillis(slowMillis), terminal::talkLines);
  }

  private LogFormat format() {
    return switch (format) {
      case "text" -> LogFormat.TEXT;
      case "json" -> LogFormat.JSON;
      default ->
          throw new CommandException(
              ExitCodes.USAGE, "--log-format: expected text or json, found '" + format + "'", null);
    };
  }

  private static void print(Terminal terminal, String lines) {
    terminal.write(Payload.utf8(lines));
    terminal.flush();
  }

  /// Gives later talk on standard error the form that the options ask for.
  void applyTo(Terminal terminal) {
    if (format() == LogFormat.JSON) {
      MessageForm.set(
          message ->
              LogLine.of(LogFormat.JSON, terminal.clock().instant(), "message")
                  .text("text", message)
                  .built());
    }
  }

  /// A line about the start of the service.
  LogLine line(Terminal terminal) {
    return LogLine.of(format(), terminal.clock().instant(), "start");
  }
}
