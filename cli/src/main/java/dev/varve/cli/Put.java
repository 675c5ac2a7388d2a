// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve put`
@Command(
    name = "put",
    description = "Stores a blob, and makes the store if there is none. Prints the blob's hash.",
    footer = {"  varve put picture.png", "  git diff | varve put"})
final class Put implements Callable<Integer> {

  private final Varve varve;

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "- or none: standard input.")
  private String file = "-";

  @Mixin private final JsonOption output = new JsonOption();

  Put(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Payload bytes = Input.read(file, terminal);
    try (Store store = varve.open()) {
      BlobHash hash = store.put(bytes);
      if (output.json()) {
        new JsonLine().hash("hash", hash).number("size_bytes", bytes.sizeBytes()).print(terminal);
      } else {
        terminal.println(hash.toString());
      }
    }
    return ExitCodes.OK;
  }
}
