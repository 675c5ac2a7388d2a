// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandEntry;
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
  public static final List<CommandEntry> IMPORTS =
      List.of(
          new CommandEntry("claude-code", ImportClaude::new),
          new CommandEntry("codex", ImportCodex::new),
          new CommandEntry("cline", ImportCline::new),
          new CommandEntry("gemini", ImportGemini::new),
          new CommandEntry("qwen", ImportQwen::new),
          new CommandEntry("opencode", ImportOpencode::new));

  private HistoryCommands() {}
}
