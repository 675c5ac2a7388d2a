// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandEntry;
import dev.varve.history.HistoryProfile;
import java.util.ArrayList;
import java.util.List;

/// The list of the commands in this room.
public final class HistoryCommands {

  /// The commands about all agents.
  public static final List<CommandEntry> ALL =
      List.of(
          new CommandEntry("agents", AgentsCommand::new),
          new CommandEntry("sync", SyncCommand::new),
          new CommandEntry("put-back", PutBackCommand::new),
          new CommandEntry("derive", DeriveCommand::new));

  /// The imports of each agent.
  public static final List<CommandEntry> IMPORTS = imports();

  private HistoryCommands() {}

  private static List<CommandEntry> imports() {
    List<CommandEntry> imports =
        new ArrayList<>(
            List.of(
                new CommandEntry("claude-code", ImportClaude::new),
                new CommandEntry("codex", ImportCodex::new),
                new CommandEntry("cline", ImportCline::new),
                new CommandEntry("gemini", ImportGemini::new),
                new CommandEntry("qwen", ImportQwen::new),
                new CommandEntry("opencode", ImportOpencode::new)));
    HistoryProfiles.ALL.stream()
        .filter(HistoryProfile::isExperimental)
        .forEach(
            profile ->
                imports.add(
                    new CommandEntry(
                        profile.agent(), command -> ImportExperimental.of(command, profile))));
    return List.copyOf(imports);
  }
}
