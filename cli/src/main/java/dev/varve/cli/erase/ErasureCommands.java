// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.cli.session.CommandEntry;
import java.util.List;

/// The list of this room's commands.
public final class ErasureCommands {

  public static final List<CommandEntry> ALL =
      List.of(
          new CommandEntry("erase", EraseCommand::new),
          new CommandEntry("gc", GcCommand::new),
          new CommandEntry("keep", KeepCommand::new),
          RetentionCommands.ENTRY,
          new CommandEntry("readmit", ReadmitCommand::new));

  private ErasureCommands() {}
}
