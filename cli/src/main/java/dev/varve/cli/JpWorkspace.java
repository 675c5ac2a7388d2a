// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.place.Workspace;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--workspace`, for the commands of `varve jp` that are about all of it.
final class JpWorkspace {

  @Option(
      names = {"-w", "--workspace"},
      paramLabel = "DIR",
      description = "A folder of the workspace. Else the current folder.")
  private @Nullable Path folder;

  /// The workspace that was named, or around the current folder.
  Workspace find(Terminal terminal) {
    Path start = folder != null ? folder : Path.of(System.getProperty("user.dir", "."));
    return Workspace.find(start, JpTarget.userData(terminal));
  }
}
