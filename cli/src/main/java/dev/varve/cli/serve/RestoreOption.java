// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.cli.session.CommandSession;
import dev.varve.server.files.FileRestores;
import picocli.CommandLine.Option;

/// The option by which a service restores files for its page.
final class RestoreOption {

  @Option(
      names = "--allow-restore",
      description = "Lets the page restore files that Rewind captured, once a reader has agreed.")
  private boolean isAllowed;

  boolean isAllowed() {
    return isAllowed;
  }

  /// The restores of the store's snapshots: plans always, more than plans with the option.
  FileRestores in(CommandSession command) {
    return new FolderRestores(command.access(), command.terminal().clock(), isAllowed);
  }
}
