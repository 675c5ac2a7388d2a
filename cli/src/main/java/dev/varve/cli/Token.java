// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

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
final class Token implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new Refusal(
        ExitCodes.USAGE, "token: what of it?", "'varve token --help' lists what can be done.");
  }
}
