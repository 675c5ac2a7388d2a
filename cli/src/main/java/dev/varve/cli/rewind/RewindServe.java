// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.stdio.RequestLoop;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind serve`
@Command(
    name = "serve",
    description = {
      "Answers requests about a worktree, one JSON object a line on standard input, until the input"
          + " ends.",
      "",
      "For agents and their extensions: one process that stays is quicker than a process for each"
          + " request. docs/stdio.md describes the requests."
    },
    footer = {
      "  varve rewind serve",
      "  echo '{\"id\":\"1\",\"do\":\"capture\"}' | varve rewind serve"
    })
final class RewindServe implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();

  RewindServe(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = command.terminal();
    new RequestLoop(new CommandHost(worktree, command), RewindServe::status)
        .run(
            terminal.in(),
            line -> {
              terminal.println(line);
              terminal.flush();
            });
    return ExitCodes.OK;
  }

  private static int status(RuntimeException error) {
    return switch (error) {
      case StoreException refusal -> ExitCodes.of(refusal);
      case CommandException mistake -> mistake.status();
      default -> ExitCodes.INTERNAL;
    };
  }
}
