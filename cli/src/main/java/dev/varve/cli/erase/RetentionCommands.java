// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve retention`: rules by which old conversations are erased.
@Command(
    name = "retention",
    description = {
      "Keeps rules by which old conversations are erased, and applies them.",
      "",
      "Only 'varve retention apply' and a service with --apply-retention erase anything.",
      "Holds override every rule."
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "  varve retention set --older-than 400d --project shop",
      "  varve retention list",
      "  varve retention apply --dry-run"
    })
final class RetentionCommands implements Callable<Integer> {

  static final CommandEntry ENTRY =
      new CommandEntry(
          "retention",
          _ -> new RetentionCommands(),
          List.of(
              new CommandEntry("set", RetentionSet::new),
              new CommandEntry("list", RetentionList::new),
              new CommandEntry("remove", RetentionRemove::new),
              new CommandEntry("apply", RetentionApply::new)));

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCodes.USAGE,
        "retention: expected a command",
        "'varve retention --help' lists its commands.");
  }
}
