// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.pi.store.PiExport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve export pi`
@Command(
    name = "pi",
    description = {
      "Writes the session file that a context was imported from, byte for byte as it was.",
      "",
      "The hash of the file is compared with the hash of the imported file before anything is"
          + " written."
    },
    footer = {
      "  varve export pi 7 -o session.jsonl    into a file that must not exist yet",
      "  varve export pi 7 | diff - session.jsonl"
    })
final class ExportPi implements Callable<Integer> {

  private static final int BUFFER_BYTES = 256 << 10;

  private final CommandSession command;

  @Parameters(paramLabel = "CONTEXT", description = "Any context of the session.")
  private ContextId context = new ContextId(0);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file to write (default: standard output).")
  private @Nullable Path target;

  ExportPi(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    try (Store store = command.openExisting()) {
      if (target != null) {
        write(store, target);
      } else {
        print(store);
      }
    }
    return ExitCodes.OK;
  }

  private void write(Store store, Path file) {
    try {
      PiExport.session(store, context, file);
    } catch (StoreException.Conflict e) {
      throw new CommandException(
          ExitCodes.of(e),
          String.valueOf(e.getMessage()),
          "Name another file, or remove the file that is there.");
    }
  }

  /// By way of a file, because the bytes are proved right only at their end.
  private void print(Store store) throws IOException {
    Path folder = Files.createTempDirectory("varve-export-");
    Path file = folder.resolve("session.jsonl");
    try {
      PiExport.session(store, context, file);
      byte[] buffer = new byte[BUFFER_BYTES];
      try (InputStream in = Files.newInputStream(file)) {
        for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
          command.terminal().write(Payload.wrap(Arrays.copyOf(buffer, read)));
        }
      }
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }
}
