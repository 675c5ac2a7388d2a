// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DurationText;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.server.access.TokenAuthenticator;
import dev.varve.server.access.TokenFile;
import dev.varve.server.access.TokenRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
      "  varve token create dashboard --scopes read --rate 20 --expires 90d",
      "  token=$(varve token create ci)"
    })
final class TokenCreate implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(paramLabel = "NAME", description = "The owner's name; appears in the audit log.")
  private String name = "";

  @Option(
      names = "--scopes",
      paramLabel = "LIST",
      description = "Some of read, write, admin, restore (default: ${DEFAULT-VALUE}).")
  private String scopes = "read,write";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "The number of requests a second that are admitted; 0 for any number (default).")
  private int rate;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "The token is refused after this time from now: 12h, 90d (default: never).")
  private @Nullable String expires;

  @Mixin private final TokenFileOption file = new TokenFileOption();
  @Mixin private final JsonOption output = new JsonOption();

  TokenCreate(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    String token = TokenAuthenticator.create();
    Instant now = terminal.clock().instant();
    TokenRecord made =
        new TokenRecord(
            TokenRecord.hashOf(token),
            TokenRecord.scopes(scopes),
            rate,
            now,
            expires == null ? null : now.plus(DurationText.parse("--expires", expires)),
            name);
    TokenFile tokens = file.of(command);
    tokens.change(
        all -> {
          if (all.stream().anyMatch(other -> other.name().equals(name))) {
            throw new CommandException(
                ExitCodes.USAGE,
                "name: there is a token " + name + " already",
                "'varve token revoke' revokes that token; another name keeps both tokens.");
          }
          List<TokenRecord> more = new ArrayList<>(all);
          more.add(made);
          return more;
        });
    if (output.json()) {
      JsonLine line = new JsonLine().text("id", made.id()).text("name", name);
      if (made.expiresAt() != null) {
        line.time("expires_at", made.expiresAt());
      }
      line.text("token", token).print(terminal);
    } else {
      terminal.println(token);
      terminal.say("The token is shown only now. Clients send 'Authorization: Bearer TOKEN'.");
    }
    return ExitCodes.OK;
  }
}
