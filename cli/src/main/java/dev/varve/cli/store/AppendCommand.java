// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandInput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.session.PayloadArguments;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
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
      "Appends a turn to a context. Prints the turn's number once the turn is safe on the disk.",
      "",
      "The payload is kept byte for byte. Type and encoding are kept as you declare them."
    },
    footer = {
      "  echo hello | varve append 3",
      "  varve append 3 message.json --type chat.Message@1",
      "  varve append 3 step.json --key step-17        safe to run again",
      "  varve append 3 step.json --expect-head 120    refused if 120 is no longer the head",
      "  varve append 3 other.json --parent 118        goes back to 118 and on from there",
      "  varve append 3 chat.jsonl --lines             a turn for each line"
    })
final class AppendCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(index = "0", paramLabel = "CONTEXT", description = "The number of the context.")
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
      description = "The type of the payload, and the type's version.")
  private DeclaredType type = DeclaredType.UNDECLARED;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description =
          "json, msgpack, raw, … or a number (default: json if the payload is JSON, else raw).")
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
      description = "A name for this append: a second append with the name adds nothing.")
  private @Nullable String key;

  @Option(
      names = "--lines",
      description = "Each line of the input that is not empty becomes a turn of its own.")
  private boolean lines;

  @Mixin private final JsonOption output = new JsonOption();

  AppendCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    if (lines) {
      return CommandInput.stream(file, terminal, this::appendLines);
    }
    Payload payload = CommandInput.read(file, terminal);
    try (Store store = command.openExisting()) {
      append(payload, parent, expectedHead, key, store);
    }
    return ExitCodes.OK;
  }

  /// Appends a turn for each line that is not empty, each to the one before.
  private int appendLines(InputStream in) throws IOException {
    PayloadLines all = new PayloadLines(in);
    try (Store store = command.openExisting()) {
      TurnId follows = parent;
      TurnId expected = expectedHead;
      for (Payload line = all.next(); line != null; line = all.next()) {
        append(line, follows, expected, key == null ? null : key + ":" + all.number(), store);
        follows = null; // the head is now the line before
        expected = null;
      }
    }
    return ExitCodes.OK;
  }

  private void append(
      Payload payload,
      @Nullable TurnId follows,
      @Nullable TurnId expected,
      @Nullable String name,
      Store store) {
    if (payload.sizeBytes() == 0 && Encoding.JSON.equals(encoding)) {
      throw new CommandException(
          ExitCodes.USAGE, "--encoding json: expected JSON, found an empty input", null);
    }
    NewTurn turn =
        new NewTurn(
            payload,
            type,
            encoding != null ? encoding : PayloadArguments.guess(payload),
            follows,
            expected,
            name == null ? null : IdempotencyKey.of(name),
            null,
            0,
            null);
    Turn stored = store.append(context, turn);
    if (output.json()) {
      TurnJson.of(stored).print(command.terminal());
    } else {
      command.terminal().println(stored.id().toString());
    }
  }
}
