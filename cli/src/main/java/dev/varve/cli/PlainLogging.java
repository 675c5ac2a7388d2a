// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.terminal.MessageForm;
import dev.varve.cli.terminal.SafeText;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// The log of the library, one plain line a message on standard error: warnings and errors always,
/// all other messages with `VARVE_TRACE=1`. It is registered as the process's
/// [System.LoggerFinder], which also spares the command the loading of `java.util.logging`.
public final class PlainLogging extends System.LoggerFinder {

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new PlainLogger(name);
  }

  private record PlainLogger(String name) implements System.Logger {

    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      boolean ours = name.startsWith("dev.varve");
      boolean traced = ours && "1".equals(System.getenv("VARVE_TRACE"));
      Level least = traced ? Level.DEBUG : Level.WARNING;
      return level != Level.OFF && level.getSeverity() >= least.getSeverity();
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        String cause = thrown == null ? "" : ": " + thrown;
        System.err.println(MessageForm.of("varve: " + SafeText.line(message + cause)));
      }
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, Object @Nullable ... params) {
      if (isLoggable(level)) {
        boolean plain = params == null || params.length == 0;
        log(level, bundle, plain ? format : MessageFormat.format(format, params), (Throwable) null);
      }
    }
  }
}
