// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve token`: the tokens that clients of `varve serve` show.
@Command(
    name = "token",
    description = "Makes, lists and revokes the tokens that clients of the service show.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  varve token create ci --scopes read,write",
      "  varve token list",
      "  varve token revoke ci"
    })
final class TokenCommands implements Callable<Integer> {

  static final CommandEntry ENTRY =
      new CommandEntry(
          "token",
          _ -> new TokenCommands(),
          List.of(
              new CommandEntry("create", TokenCreate::new),
              new CommandEntry("list", TokenList::new),
              new CommandEntry("revoke", TokenRevoke::new)));

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCodes.USAGE, "token: expected a command", "'varve token --help' lists its commands.");
  }
}
