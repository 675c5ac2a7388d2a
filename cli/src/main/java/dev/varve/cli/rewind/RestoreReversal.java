// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/// A command that goes a step back or forward among the restores of a worktree.
abstract class RestoreReversal implements Callable<Integer> {

  private final CommandSession command;
  private final Function<Rewind, RestorePlan> plan;
  private final BiFunction<Rewind, RestorePlan, RestoreOutcome> carryOut;

  @Mixin private final RestoreOptions options = new RestoreOptions();
  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final JsonOption output = new JsonOption();

  RestoreReversal(
      CommandSession command,
      Function<Rewind, RestorePlan> plan,
      BiFunction<Rewind, RestorePlan, RestoreOutcome> carryOut) {
    this.command = command;
    this.plan = plan;
    this.carryOut = carryOut;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    RestoreDialog.demandNoneBegun(rewind, terminal);
    return new RestoreDialog(terminal, options, output.json())
        .run(() -> plan.apply(rewind), chosen -> carryOut.apply(rewind, chosen));
  }
}
