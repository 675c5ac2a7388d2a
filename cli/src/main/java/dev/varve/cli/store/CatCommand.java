// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.CountedInput;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.PayloadPreview;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve cat`
@Command(
    name = "cat",
    description = "Writes exactly the bytes of a blob, after verifying them.",
    footer = {
      "  varve cat HASH > file",
      "  varve cat \"$(varve put notes.txt)\"",
      "HASH is the full hash of 64 digits, as 'varve show TURN' prints it."
    })
final class CatCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(paramLabel = "HASH", description = "The blob's BLAKE3 hash.")
  private BlobHash hash = new BlobHash(0, 0, 0, 0);

  @Option(
      names = "--force",
      description = "Writes to a terminal even bytes that are not plain text.")
  private boolean force;

  CatCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    try (Store store = command.openExisting()) {
      if (store.sizeBytes(hash) > StoreLimits.DEFAULTS.payloadBytes()) {
        return stream(store, terminal);
      }
      Payload blob = store.get(hash);
      if (terminal.outIsTerminal() && !force && !isPlainText(blob)) {
        throw new CommandException(
            ExitCodes.USAGE,
            "blob " + hash + " is not plain text and might confuse the terminal",
            "Write the bytes to a file, or insist with --force.");
      }
      terminal.write(blob);
    }
    return ExitCodes.OK;
  }

  /// Writes a blob that is too large for the memory. All written bytes were verified; the bytes
  /// before a damaged part are written.
  private int stream(Store store, Terminal terminal) {
    if (terminal.outIsTerminal() && !force) {
      throw new CommandException(
          ExitCodes.USAGE,
          "blob " + hash + " has " + HumanText.size(store.sizeBytes(hash)),
          "Write the bytes to a file, or insist with --force.");
    }
    CountedInput in = new CountedInput(store.read(hash));
    byte[] buffer = new byte[1 << 16];
    try (ProgressIndicator _ =
        ProgressIndicator.on(() -> HumanText.size(in.sizeBytes()) + " written", terminal)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        terminal.write(Payload.wrap(Arrays.copyOf(buffer, count)));
      }
    } catch (IOException e) {
      throw new AssertionError("a blob's stream refuses by other means", e);
    }
    return ExitCodes.OK;
  }

  private static boolean isPlainText(Payload blob) {
    return PayloadPreview.findText(blob)
        .filter(text -> SafeText.isSafe(text.replace("\r\n", "\n")))
        .isPresent();
  }
}
