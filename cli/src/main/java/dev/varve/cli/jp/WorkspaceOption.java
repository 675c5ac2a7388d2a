// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.place.UserData;
import dev.varve.jp.place.Workspace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--workspace`, for the commands of `varve jp` that are about all of it.
final class WorkspaceOption {

  @Option(
      names = {"-w", "--workspace"},
      paramLabel = "DIR",
      description = "A folder of the workspace. Else the current folder.")
  private @Nullable Path folder;

  /// The workspace that was named, or around the current folder.
  Workspace find(Terminal terminal) {
    Path start = folder != null ? folder : Path.of(System.getProperty("user.dir", "."));
    return Workspace.find(start, userData(terminal));
  }

  private static Path userData(Terminal terminal) {
    return UserData.of(
        terminal::variable,
        System.getProperty("os.name", ""),
        Path.of(System.getProperty("user.home", ".")));
  }
}
