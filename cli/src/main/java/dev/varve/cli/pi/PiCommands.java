// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve pi`
@Command(
    name = "pi",
    description = "Reads, checks and shares sessions of the Pi coding agent.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  varve pi sessions          what sessions there are",
      "  varve pi tree FILE         the branches of one",
      "  varve pi doctor FILE       what is wrong with it, and a repaired copy",
      "  varve pi scan FILE         whether there are credentials in it",
      "  varve pi publish           the newest session of this folder; prints its branch hash"
    })
public final class PiCommands implements Callable<Integer> {

  public static final CommandEntry ENTRY =
      new CommandEntry(
          "pi",
          _ -> new PiCommands(),
          List.of(
              new CommandEntry("sessions", PiSessions::new),
              new CommandEntry("tree", PiTree::new),
              new CommandEntry("doctor", PiDoctor::new),
              new CommandEntry("scan", PiScan::new),
              new CommandEntry("redact", PiRedact::new),
              new CommandEntry("publish", PiPublish::new),
              new CommandEntry("get", PiGet::new),
              new CommandEntry("push", PiPush::new),
              new CommandEntry("bundle", PiBundle::new),
              new CommandEntry("verify", PiVerify::new),
              new CommandEntry("list", PiList::new),
              new CommandEntry("manifest", PiManifest::new)));

  public static final CommandEntry IMPORT = new CommandEntry("pi", ImportPi::new);
  public static final CommandEntry EXPORT = new CommandEntry("pi", ExportPi::new);

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCodes.USAGE, "pi: expected a command", "'varve pi --help' lists its commands.");
  }
}
