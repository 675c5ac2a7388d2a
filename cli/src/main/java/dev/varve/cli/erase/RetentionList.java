// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.json.JsonLine;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve retention list`
@Command(
    name = "list",
    description = "Lists the rules of retention of the store.",
    footer = {"  varve retention list"})
final class RetentionList implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final JsonOption output = new JsonOption();

  RetentionList(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    List<RetentionRules.Rule> rules = RetentionRules.of(command).all();
    if (rules.isEmpty()) {
      command.terminal().say(RetentionRules.NONE);
    }
    for (RetentionRules.Rule rule : rules) {
      if (output.json()) {
        new JsonLine()
            .text("older_than", rule.olderThan())
            .text("project", rule.project().isEmpty() ? null : rule.project())
            .print(command.terminal());
      } else {
        command.terminal().println(rule.words());
      }
    }
    return ExitCodes.OK;
  }
}
