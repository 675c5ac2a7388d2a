// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `varve retention set`
@Command(
    name = "set",
    description = {
      "Sets the rule of a project; a former rule of the project is replaced.",
      "Erases nothing."
    },
    footer = {"  varve retention set --older-than 400d --project shop"})
final class RetentionSet implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = "--older-than",
      paramLabel = "AGE",
      required = true,
      description = "The time since the last activity after which content goes: 400d, 12w.")
  private String olderThan = "";

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      description =
          "Only conversations of this project: the name of its folder, or a path. Without: all.")
  private @Nullable String project;

  RetentionSet(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    RetentionRules.Rule rule = RetentionRules.Rule.of(olderThan, project);
    RetentionRules.of(command).set(rule);
    command.terminal().println(rule.words());
    return ExitCodes.OK;
  }
}
