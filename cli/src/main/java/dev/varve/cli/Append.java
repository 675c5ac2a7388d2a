// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve append`
@Command(
    name = "append",
    description = {
      "Appends a turn to a context. Prints its number once it is safe on the disk.",
      "",
      "The payload is kept byte for byte. Type and encoding are only what you declare of it."
    },
    footer = {
      "  echo hello | varve append 3",
      "  varve append 3 message.json --type chat.Message@1",
      "  varve append 3 step.json --key step-17        safe to run again",
      "  varve append 3 step.json --expect-head 120    refused if 120 is no longer the head",
      "  varve append 3 other.json --parent 118        goes back to 118 and on from there"
    })
final class Append implements Callable<Integer> {

  private final Varve varve;

  @Parameters(index = "0", paramLabel = "CONTEXT", description = "Its number.")
  private ContextId context = new ContextId(0);

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The payload; - or none: standard input.")
  private String file = "-";

  @Option(
      names = "--type",
      paramLabel = "T@V",
      description = "What the payload is, and which version of it.")
  private DeclaredType type = DeclaredType.UNDECLARED;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "json, msgpack, raw, … or a number (default: json if it is JSON, else raw).")
  private @Nullable Encoding encoding;

  @Option(
      names = "--parent",
      paramLabel = "TURN",
      description = "The turn to follow (default: the head).")
  private @Nullable TurnId parent;

  @Option(
      names = "--expect-head",
      paramLabel = "TURN",
      description = "Refuse if the head is another turn.")
  private @Nullable TurnId expectedHead;

  @Option(
      names = "--key",
      paramLabel = "K",
      description = "A name for this append: the same again adds nothing.")
  private @Nullable String key;

  @Mixin private final JsonOption output = new JsonOption();

  Append(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Payload payload = Input.read(file, terminal);
    NewTurn turn =
        new NewTurn(
            payload,
            type,
            encoding != null ? encoding : Types.guess(payload),
            parent,
            expectedHead,
            key == null ? null : IdempotencyKey.of(key),
            null,
            0,
            null);
    try (Store store = varve.openExisting()) {
      Turn stored = store.append(context, turn);
      if (output.json()) {
        TurnJson.of(stored).print(terminal);
      } else {
        terminal.println(stored.id().toString());
      }
    }
    return ExitCodes.OK;
  }
}
