// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.cli.session.CommandEntry;
import java.util.List;

/// The list of this room's commands.
public final class ServeCommands {

  public static final List<CommandEntry> ALL =
      List.of(
          new CommandEntry("serve", ServeCommand::new),
          new CommandEntry("ui", UiCommand::new),
          new CommandEntry("mcp", McpCommand::new),
          TokenCommands.ENTRY);

  private ServeCommands() {}
}
