// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// One run of the command, from its arguments to its exit status.
final class Run {

  private Run() {}

  static int of(String[] args, Terminal terminal) {
    try {
      CommandLine varve = Commands.model(args, terminal);
      StringWriter help = new StringWriter();
      varve.setOut(new PrintWriter(help));
      varve.setParameterExceptionHandler((e, _) -> Misuse.tell(e, terminal));
      varve.setExecutionExceptionHandler((e, _, _) -> Ending.of(e, terminal));
      int status = varve.execute(args);
      terminal.printOwn(help.toString());
      terminal.flush();
      return status;
    } catch (RuntimeException | Error e) {
      return Ending.of(e, terminal);
    }
  }
}
