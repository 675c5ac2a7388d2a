// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import dev.varve.json.JsonLine;
import dev.varve.server.access.TokenRecord;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve token list`
@Command(
    name = "list",
    description = "Lists the tokens by name and id, never the tokens themselves.",
    footer = {"  varve token list", "  varve token list --json"})
final class TokenList implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final TokenFileOption file = new TokenFileOption();
  @Mixin private final JsonOption output = new JsonOption();

  TokenList(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    List<TokenRecord> tokens = file.of(command).read();
    TextTable table = new TextTable("id", "name", "scopes", ">rate", "created", "expires");
    for (TokenRecord token : tokens) {
      if (output.json()) {
        JsonLine line =
            new JsonLine()
                .text("id", token.id())
                .text("name", token.name())
                .text("scopes", token.scopesText())
                .number("rate_per_second", token.ratePerSecond())
                .time("created_at", token.createdAt());
        if (token.expiresAt() != null) {
          line.time("expires_at", token.expiresAt());
        }
        line.print(terminal);
      } else {
        table.row(
            token.id(),
            token.name(),
            token.scopesText(),
            token.ratePerSecond() == 0 ? "any" : HumanText.number(token.ratePerSecond()),
            HumanText.minute(token.createdAt(), terminal.zone()),
            expiry(token, terminal));
      }
    }
    if (tokens.isEmpty()) {
      terminal.say("There are no tokens yet: 'varve token create' makes a token.");
    } else if (!output.json()) {
      table.print(terminal);
    }
    return ExitCodes.OK;
  }

  private static String expiry(TokenRecord token, Terminal terminal) {
    if (token.expiresAt() == null) {
      return "never";
    }
    String time = HumanText.minute(token.expiresAt(), terminal.zone());
    return token.expiredAt(terminal.clock().instant()) ? time + " (expired)" : time;
  }
}
