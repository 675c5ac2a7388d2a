// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandSession;
import dev.varve.history.gemini.GeminiProfile;
import picocli.CommandLine.Command;

/// `varve import gemini`
@Command(
    name = "gemini",
    description = {
      "Imports sessions of Gemini CLI, with their sub-agents and large outputs.",
      "",
      "Files are only read. Importing again adds what is new and nothing else."
    },
    footer = {
      "  varve import gemini ~/.gemini               all sessions",
      "  varve import gemini session-….jsonl         one session"
    })
final class ImportGemini extends ImportHistory {

  ImportGemini(CommandSession command) {
    super(command, new GeminiProfile());
  }
}
