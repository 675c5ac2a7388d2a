// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `varve retention remove`
@Command(
    name = "remove",
    description = "Removes the rule of a project, or the rule of all projects.",
    footer = {"  varve retention remove --project shop"})
final class RetentionRemove implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      description = "The project of the rule. Without: the rule of all projects.")
  private @Nullable String project;

  RetentionRemove(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    RetentionRules.of(command).remove(RetentionRules.project(project));
    return ExitCodes.OK;
  }
}
