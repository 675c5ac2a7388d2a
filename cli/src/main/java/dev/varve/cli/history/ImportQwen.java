// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandSession;
import dev.varve.history.qwen.QwenProfile;
import picocli.CommandLine.Command;

/// `varve import qwen`
@Command(
    name = "qwen",
    description = {
      "Imports transcripts of Qwen Code, with their sub-agents and backups of files.",
      "",
      "Files are only read. Importing again adds what is new and nothing else."
    },
    footer = {
      "  varve import qwen ~/.qwen       all sessions",
      "  varve import qwen ID.jsonl      one session"
    })
final class ImportQwen extends ImportHistory {

  ImportQwen(CommandSession command) {
    super(command, new QwenProfile());
  }
}
