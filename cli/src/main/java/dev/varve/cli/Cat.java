// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Limits;
import dev.varve.Payload;
import dev.varve.Store;
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
      "The hash is the full one, 64 digits: 'varve show TURN' prints it."
    })
final class Cat implements Callable<Integer> {

  private final Varve varve;

  @Parameters(paramLabel = "HASH", description = "The blob's BLAKE3 hash.")
  private BlobHash hash = new BlobHash(0, 0, 0, 0);

  @Option(names = "--force", description = "Writes to a terminal what is not plain text.")
  private boolean force;

  Cat(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    try (Store store = varve.openExisting()) {
      if (store.sizeBytes(hash) > Limits.DEFAULTS.payloadBytes()) {
        return stream(store, terminal);
      }
      Payload blob = store.get(hash);
      if (terminal.outIsTerminal() && !force && !isPlainText(blob)) {
        throw new Refusal(
            ExitCodes.USAGE,
            "blob " + hash + " is not plain text and might confuse the terminal",
            "Write it to a file, or insist with --force.");
      }
      terminal.write(blob);
    }
    return ExitCodes.OK;
  }

  /// One too large for the memory: nothing is written that was not verified, but what comes before
  /// damage is.
  private int stream(Store store, Terminal terminal) {
    if (terminal.outIsTerminal() && !force) {
      throw new Refusal(
          ExitCodes.USAGE,
          "blob " + hash + " has " + Words.size(store.sizeBytes(hash)),
          "Write it to a file, or insist with --force.");
    }
    CountedInput in = new CountedInput(store.read(hash));
    byte[] buffer = new byte[1 << 16];
    try (Waiting _ = Waiting.on(() -> Words.size(in.sizeBytes()) + " written", terminal)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        terminal.write(Payload.wrap(Arrays.copyOf(buffer, count)));
      }
    } catch (IOException e) {
      throw new AssertionError("a blob's stream refuses by other means", e);
    }
    return ExitCodes.OK;
  }

  private static boolean isPlainText(Payload blob) {
    return Preview.findText(blob)
        .filter(text -> SafeText.isSafe(text.replace("\r\n", "\n")))
        .isPresent();
  }
}
