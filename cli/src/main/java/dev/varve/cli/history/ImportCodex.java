// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandSession;
import dev.varve.history.codex.CodexProfile;
import picocli.CommandLine.Command;

/// `varve import codex`
@Command(
    name = "codex",
    description = {
      "Imports rollouts of Codex, plain or compressed.",
      "",
      "Files are only read. A later import adds only new records."
    },
    footer = {
      "  varve import codex ~/.codex               all sessions",
      "  varve import codex rollout-….jsonl.zst    one session"
    })
final class ImportCodex extends ImportHistory {

  ImportCodex(CommandSession command) {
    super(command, new CodexProfile());
  }
}
