// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.cli.session.CommandSession;
import dev.varve.server.access.TokenFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--token-file`, for the commands that change the file.
final class TokenFileOption {

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Default: the store's folder with .tokens behind its name.")
  private @Nullable Path file;

  TokenFile of(CommandSession command) {
    if (file != null) {
      return new TokenFile(file);
    }
    Path store = command.storeFolder().toAbsolutePath().normalize();
    return new TokenFile(store.resolveSibling(store.getFileName() + ".tokens"));
  }
}
