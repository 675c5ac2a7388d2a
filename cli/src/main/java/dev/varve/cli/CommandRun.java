// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.ErrorExit;
import dev.varve.cli.session.UsageError;
import dev.varve.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// One run of the command, from its arguments to its exit status.
final class CommandRun {

  private CommandRun() {}

  static int of(String[] args, Terminal terminal) {
    try {
      CommandLine varve = CommandModel.of(args, terminal, CommandRun::of);
      StringWriter help = new StringWriter();
      varve.setOut(new PrintWriter(help));
      varve.setParameterExceptionHandler((e, _) -> UsageError.report(e, terminal));
      varve.setExecutionExceptionHandler((e, _, _) -> ErrorExit.of(e, terminal));
      int status = varve.execute(args);
      terminal.printOwn(help.toString());
      terminal.flush();
      return status;
    } catch (RuntimeException | Error e) {
      return ErrorExit.of(e, terminal);
    }
  }
}
