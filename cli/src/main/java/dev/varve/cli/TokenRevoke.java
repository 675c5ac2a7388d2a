// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.server.access.TokenRecord;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve token revoke`
@Command(
    name = "revoke",
    description = "Takes a token back; a running service refuses it within a second.",
    footer = {"  varve token revoke ci", "  varve token revoke 3f8a0c11d2e4"})
final class TokenRevoke implements Callable<Integer> {

  private final Varve varve;

  @Parameters(paramLabel = "TOKEN", description = "Its name or its id, as 'token list' shows them.")
  private String token = "";

  @Mixin private final TokenFileOption file = new TokenFileOption();

  TokenRevoke(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    file.of(varve)
        .change(
            all -> {
              List<TokenRecord> rest = all.stream().filter(each -> !isMeant(each)).toList();
              if (rest.size() == all.size()) {
                throw new StoreException.NotFound("token", token);
              }
              return rest;
            });
    varve.terminal().say("revoked: " + token);
    return ExitCodes.OK;
  }

  private boolean isMeant(TokenRecord each) {
    return each.name().equals(token) || each.id().equals(token);
  }
}
