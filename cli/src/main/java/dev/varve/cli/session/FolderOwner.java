// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The refusal to the superuser to work in the store of another user. Files that root makes there
/// are root's, and every later command of the store's owner would be refused.
final class FolderOwner {

  private static final String ROOT = "root";

  /// The variable by which root insists.
  private static final String INSISTENCE = "VARVE_AS_ROOT";

  private FolderOwner() {}

  /// Refuses if this process is root's and the folder is another user's. A folder that is absent is
  /// whose the folder above it is, if the user came by `sudo`, which may keep the user's home.
  ///
  /// @throws CommandException if root does not insist
  static void demandOwn(Path folder, Terminal terminal) {
    if (!ROOT.equals(System.getProperty("user.name"))
        || terminal.variable(INSISTENCE).equals("1")) {
      return;
    }
    Path at = folder.toAbsolutePath();
    boolean looksAbove = !terminal.variable("SUDO_USER").isEmpty();
    while (looksAbove && !Files.exists(at) && at.getParent() != null) {
      at = at.getParent();
    }
    Optional<String> owner = owner(at).filter(name -> !name.equals(ROOT));
    if (owner.isPresent()) {
      throw new CommandException(
          ExitCodes.USAGE,
          at + ": expected a folder of root, found one of " + owner.get(),
          "'sudo -u "
              + owner.get()
              + " varve …' runs as its owner. With "
              + INSISTENCE
              + "=1, new files are root's.");
    }
  }

  private static Optional<String> owner(Path folder) {
    try {
      return Optional.of(Files.getOwner(folder).getName());
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty(); // absent, or the command says what is wrong
    }
  }
}
