// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.server.access.TokenRecord;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve token list`
@Command(
    name = "list",
    description = "Lists the tokens that are good, never themselves.",
    footer = {"  varve token list", "  varve token list --json"})
final class TokenList implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final TokenFileOption file = new TokenFileOption();
  @Mixin private final JsonOption output = new JsonOption();

  TokenList(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    List<TokenRecord> tokens = file.of(varve).read();
    Table table = new Table("id", "name", "scopes", ">rate", "created");
    for (TokenRecord token : tokens) {
      if (output.json()) {
        new JsonLine()
            .text("id", token.id())
            .text("name", token.name())
            .text("scopes", token.scopesText())
            .number("rate_per_second", token.ratePerSecond())
            .time("created_at", token.createdAt())
            .print(terminal);
      } else {
        table.row(
            token.id(),
            token.name(),
            token.scopesText(),
            token.ratePerSecond() == 0 ? "any" : Words.number(token.ratePerSecond()),
            Words.minute(token.createdAt(), terminal.zone()));
      }
    }
    if (tokens.isEmpty()) {
      terminal.say("There are no tokens yet: 'varve token create' makes one.");
    } else if (!output.json()) {
      table.print(terminal);
    }
    return ExitCodes.OK;
  }
}
