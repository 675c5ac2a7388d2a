// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// The argument `SESSION` of commands about one session of Pi.
final class SessionArgument {

  @Parameters(
      arity = "0..1",
      paramLabel = "SESSION",
      description = "A file, or an id (default: the newest session of this folder).")
  private @Nullable String session;

  /// The session's file. Without an argument, the file of the newest session of the folder where
  /// the command runs.
  Path file(PiOptions pi, Terminal terminal) {
    List<String> named = session == null ? List.of() : List.of(session);
    return PiFiles.demandFile(pi.sessions(named, Path.of(""), terminal).getFirst());
  }
}
