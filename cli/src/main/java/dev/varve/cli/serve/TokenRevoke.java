// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.server.access.TokenRecord;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve token revoke`
@Command(
    name = "revoke",
    description = "Revokes a token; a running service refuses the token within a second.",
    footer = {"  varve token revoke ci", "  varve token revoke 3f8a0c11d2e4"})
final class TokenRevoke implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(
      paramLabel = "TOKEN",
      description = "The name or the id of the token, as 'token list' shows them.")
  private String token = "";

  @Mixin private final TokenFileOption file = new TokenFileOption();

  TokenRevoke(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    file.of(command)
        .change(
            all -> {
              List<TokenRecord> rest = all.stream().filter(each -> !isMeant(each)).toList();
              if (rest.size() == all.size()) {
                throw new StoreException.NotFound("token", token);
              }
              return rest;
            });
    command.terminal().say("revoked: " + token);
    return ExitCodes.OK;
  }

  private boolean isMeant(TokenRecord each) {
    return each.name().equals(token) || each.id().equals(token);
  }
}
