// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandSession;
import dev.varve.history.HistoryProfile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/// `varve import <agent>` for an agent with an experimental profile.
@Command
final class ImportExperimental extends ImportHistory {

  private ImportExperimental(CommandSession command, HistoryProfile profile) {
    super(command, profile);
  }

  /// The command with the words for its agent.
  static CommandSpec of(CommandSession command, HistoryProfile profile) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new ImportExperimental(command, profile));
    spec.usageMessage()
        .description(
            "Imports sessions of " + profile.displayName() + " (experimental).",
            "",
            "Files are only read. Importing again adds what is new and nothing else.",
            "Experimental: the reading rests on samples, and the agent was never tried",
            "with what 'varve put-back' writes.")
        .footer("  varve import " + profile.agent() + " FILE");
    return spec;
  }
}
