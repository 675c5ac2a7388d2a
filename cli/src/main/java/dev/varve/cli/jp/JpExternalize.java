// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.CopyRewriter;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.OptIn;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp externalize`
@Command(
    name = "externalize",
    description = {
      "Moves the payloads of conversations into blobs, and leaves references in their place.",
      "",
      "Nothing else in events.json changes, and files keep their times. Released versions of JP"
          + " cannot read the new form: --format rfd066 confirms that you know this, and 'varve jp"
          + " inline' goes back."
    },
    footer = {
      "  varve jp externalize --format rfd066 --dry-run",
      "  varve jp externalize --format rfd066 jp-c17800000001",
      "  varve jp inline                 goes back, byte for byte"
    })
final class JpExternalize implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final ConversationArguments target = new ConversationArguments();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "The form to write: rfd066. Not needed if the workspace has chosen the form.")
  private @Nullable String format;

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  JpExternalize(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Workspace workspace = target.workspace(terminal);
    demandFormat(format, dryRun.dry(), workspace);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    RewriteOutput rewrites = new RewriteOutput(terminal, output.json(), "externalized");
    CopyRewriter rewriting =
        new CopyRewriter(workspace, terminal.clock(), BlobFolder.SIZE_BYTES_MAX);
    try (ProgressIndicator _ =
        ProgressIndicator.on(() -> rewrites.progress(conversations.size()), terminal)) {
      for (Conversation conversation : conversations) {
        rewrites.add(rewriting.externalize(conversation, dryRun.dry()));
      }
    }
    rewrites.sum(dryRun.dry());
    return rewrites.status();
  }

  /// Refuses to write what JP as released cannot read, unless somebody has said that they know.
  static void demandFormat(@Nullable String format, boolean dry, Workspace workspace) {
    if (format != null && !format.equals(OptIn.FORMAT)) {
      throw new CommandException(
          ExitCodes.USAGE, "--format: expected 'rfd066', found '" + format + "'", null);
    }
    boolean chosen =
        workspace.roots().stream().map(WorkspaceRoot::blobs).anyMatch(OptIn::isGiven)
            || format != null;
    if (!chosen && !dry) {
      throw new CommandException(
          ExitCodes.USAGE,
          "released versions of JP cannot read conversations in RFD 066's form: they would say"
              + " 'Conversation events not found'",
          "--format rfd066 writes the form all the same; 'varve jp inline' goes back. 'varve jp"
              + " migrate --format rfd066' chooses the form for the workspace.");
    }
  }
}
