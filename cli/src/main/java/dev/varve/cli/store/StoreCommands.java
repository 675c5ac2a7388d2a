// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.cli.session.CommandEntry;
import java.util.List;

/// The list of this room's commands.
public final class StoreCommands {

  public static final CommandEntry IMPORT_CXDB = new CommandEntry("cxdb", ImportCxdb::new);
  public static final CommandEntry IMPORT_JSONL = new CommandEntry("jsonl", ImportJsonl::new);

  /// The commands that only read the store.
  public static final List<CommandEntry> READ =
      List.of(
          new CommandEntry("contexts", ContextsCommand::new),
          new CommandEntry("log", LogCommand::new),
          new CommandEntry("show", ShowCommand::new),
          new CommandEntry("cat", CatCommand::new));

  /// The commands that add to the store.
  public static final List<CommandEntry> WRITE =
      List.of(
          new CommandEntry("new", NewCommand::new),
          new CommandEntry("append", AppendCommand::new),
          new CommandEntry("fork", ForkCommand::new),
          new CommandEntry("patch", PatchCommand::new),
          new CommandEntry("put", PutCommand::new));

  /// The commands that look after the store as a whole.
  public static final List<CommandEntry> CARE =
      List.of(
          new CommandEntry("stats", StatsCommand::new),
          new CommandEntry("check", CheckCommand::new),
          new CommandEntry("backup", BackupCommand::new),
          new CommandEntry("copy", CopyCommand::new));

  private StoreCommands() {}
}
