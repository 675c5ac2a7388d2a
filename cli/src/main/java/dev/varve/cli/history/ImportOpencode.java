// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandSession;
import dev.varve.history.opencode.OpencodeProfile;
import picocli.CommandLine.Command;

/// `varve import opencode`
@Command(
    name = "opencode",
    description = {
      "Imports the sessions of opencode's database, with the log of events.",
      "",
      "Files are only read. Importing again adds what is new and nothing else."
    },
    footer = {
      "  varve import opencode ~/.local/share/opencode",
      "  varve import opencode opencode.db"
    })
final class ImportOpencode extends ImportHistory {

  ImportOpencode(CommandSession command) {
    super(command, new OpencodeProfile());
  }
}
