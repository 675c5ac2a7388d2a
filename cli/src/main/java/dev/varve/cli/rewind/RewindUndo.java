// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.CommandSession;
import dev.varve.rewind.Rewind;
import picocli.CommandLine.Command;

/// `varve rewind undo`
@Command(
    name = "undo",
    description = {
      "Takes the last restore back: the files that the restore changed get their former content.",
      "",
      "A second undo takes back the restore before. Redo takes an undo back."
    },
    footer = {
      "  varve rewind undo --dry-run    what would change",
      "  varve rewind undo              shows it, asks, does it",
      "  varve rewind undo --yes"
    })
final class RewindUndo extends RestoreReversal {

  RewindUndo(CommandSession command) {
    super(command, Rewind::planUndo, Rewind::undo);
  }
}
