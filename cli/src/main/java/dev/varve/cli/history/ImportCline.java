// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandSession;
import dev.varve.history.cline.ClineProfile;
import picocli.CommandLine.Command;

/// `varve import cline`
@Command(
    name = "cline",
    description = {
      "Imports conversations of Cline, with their sub-agents.",
      "",
      "Files are only read. Importing again adds what is new and nothing else."
    },
    footer = {
      "  varve import cline ~/.cline              all sessions",
      "  varve import cline ID.messages.json      one session"
    })
final class ImportCline extends ImportHistory {

  ImportCline(CommandSession command) {
    super(command, new ClineProfile());
  }
}
