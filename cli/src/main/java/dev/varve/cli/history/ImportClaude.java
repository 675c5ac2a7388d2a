// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandSession;
import dev.varve.history.claude.ClaudeProfile;
import picocli.CommandLine.Command;

/// `varve import claude-code`
@Command(
    name = "claude-code",
    description = {
      "Imports transcripts of Claude Code, with their sub-agents and backups of files.",
      "",
      "Files are only read. A later import adds only new records."
    },
    footer = {
      "  varve import claude-code ~/.claude      all sessions",
      "  varve import claude-code ID.jsonl       one session"
    })
final class ImportClaude extends ImportHistory {

  ImportClaude(CommandSession command) {
    super(command, new ClaudeProfile());
  }
}
