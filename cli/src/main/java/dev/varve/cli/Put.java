// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Store;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve put`
@Command(
    name = "put",
    description = {
      "Stores a blob of up to 4 GiB, and makes the store if there is none. Prints the blob's hash.",
      "",
      "What has more than 64 KiB is kept in chunks, each of them once: a later version of a file"
          + " takes little more than what is new in it."
    },
    footer = {"  varve put picture.png", "  git diff | varve put", "  varve put session.jsonl"})
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
    return Input.stream(file, varve.terminal(), this::put);
  }

  private int put(InputStream in) throws IOException {
    Terminal terminal = varve.terminal();
    CountedInput counted = new CountedInput(in);
    try (Store store = varve.open()) {
      BlobHash hash;
      try (Waiting _ = waiting(counted, terminal)) {
        hash = store.put(counted, null);
      }
      if (output.json()) {
        new JsonLine().hash("hash", hash).number("size_bytes", counted.sizeBytes()).print(terminal);
      } else {
        terminal.println(hash.toString());
      }
    }
    return ExitCodes.OK;
  }

  private @Nullable Waiting waiting(CountedInput counted, Terminal terminal) {
    return Input.isTyped(file, terminal)
        ? null
        : Waiting.on(() -> Words.size(counted.sizeBytes()) + " read", terminal);
  }
}
