// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.server.access.TokenFile;
import dev.varve.server.access.TokenRecord;
import dev.varve.server.access.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve token create`
@Command(
    name = "create",
    description = "Makes a token and prints it, once: only its hash is kept.",
    footer = {
      "  varve token create ci --scopes read,write",
      "  varve token create dashboard --scopes read --rate 20",
      "  token=$(varve token create ci)"
    })
final class TokenCreate implements Callable<Integer> {

  private final Varve varve;

  @Parameters(paramLabel = "NAME", description = "Whose it is; stands in the audit log.")
  private String name = "";

  @Option(
      names = "--scopes",
      paramLabel = "LIST",
      description = "Some of read, write, admin (default: ${DEFAULT-VALUE}).")
  private String scopes = "read,write";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Requests a second that are let through; 0 for any number (default).")
  private int rate;

  @Mixin private final TokenFileOption file = new TokenFileOption();
  @Mixin private final JsonOption output = new JsonOption();

  TokenCreate(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    String token = Tokens.create();
    TokenRecord made =
        Tokens.record(token, name, TokenRecord.scopes(scopes), rate, terminal.clock().instant());
    TokenFile tokens = file.of(varve);
    tokens.change(
        all -> {
          if (all.stream().anyMatch(other -> other.name().equals(name))) {
            throw new Refusal(
                ExitCodes.USAGE,
                "name: there is a token " + name + " already",
                "'varve token revoke' takes it back; another name keeps both.");
          }
          List<TokenRecord> more = new ArrayList<>(all);
          more.add(made);
          return more;
        });
    if (output.json()) {
      new JsonLine().text("id", made.id()).text("name", name).text("token", token).print(terminal);
    } else {
      terminal.println(token);
      terminal.say("This is shown once. Clients send it as 'Authorization: Bearer TOKEN'.");
    }
    return ExitCodes.OK;
  }
}
