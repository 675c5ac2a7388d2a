// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.rewind.Rewind;
import picocli.CommandLine.Command;

/// `varve rewind redo`
@Command(
    name = "redo",
    description = {
      "Makes again the changes that undo took back.",
      "",
      "Redo is possible until another restore."
    },
    footer = {
      "  varve rewind redo --dry-run    what would change",
      "  varve rewind redo              shows it, asks, does it",
      "  varve rewind redo --yes"
    })
final class RewindRedo extends RestoreReversal {

  RewindRedo(CommandSession command) {
    super(command, Rewind::planRedo, Rewind::redo);
  }
}
