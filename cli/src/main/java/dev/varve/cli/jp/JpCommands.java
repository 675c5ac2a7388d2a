// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandRunner;
import dev.varve.cli.session.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve jp`
@Command(
    name = "jp",
    description =
        "Keeps the payloads of JP's conversations in blobs beside the conversations (RFD 066).",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  varve jp check                          what JP as released does with each conversation",
      "  varve jp externalize --format rfd066    payloads into blobs",
      "  varve jp inline                         and back, byte for byte"
    })
public final class JpCommands implements Callable<Integer> {

  /// The entry of `varve import jp`.
  public static final CommandEntry IMPORT = new CommandEntry("jp", ImportJp::new);

  /// The entry of `varve export jp`.
  public static final CommandEntry EXPORT = new CommandEntry("jp", ExportJp::new);

  /// The entry of `varve jp`.
  ///
  /// @param runner runs the command lines that JP sends to the plugin
  public static CommandEntry entry(CommandRunner runner) {
    return new CommandEntry(
        "jp",
        _ -> new JpCommands(),
        List.of(
            new CommandEntry("externalize", JpExternalize::new),
            new CommandEntry("inline", JpInline::new),
            new CommandEntry("print", JpPrint::new),
            new CommandEntry("show", JpShow::new),
            new CommandEntry("gc", JpGc::new),
            new CommandEntry("migrate", JpMigrate::new),
            new CommandEntry("check", JpCheck::new),
            new CommandEntry("verify", JpVerify::new),
            new CommandEntry("du", JpDu::new),
            new CommandEntry("fix", JpFix::new),
            new CommandEntry("plugin", command -> new JpPlugin(command, runner))));
  }

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCodes.USAGE, "jp: expected a command", "'varve jp --help' lists its commands.");
  }
}
