// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.CopyReport;
import dev.varve.jp.CopyRewriter;
import dev.varve.jp.blobs.OptIn;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp migrate`
@Command(
    name = "migrate",
    description = {
      "Chooses a form for the workspace and brings its conversations into the form; --back returns"
          + " to the form that released versions of JP read.",
      "",
      "A run goes on where an earlier run stopped, and reports with a reason what was left undone;"
          + " a later run does the rest. The choice is kept in the file .jp/blobs/.format."
    },
    footer = {
      "  varve jp migrate --format rfd066 --dry-run",
      "  varve jp migrate --format rfd066",
      "  varve jp migrate --back",
      "  varve jp migrate --format rfd066 jp-c17800000001    one conversation only; chooses nothing"
    })
final class JpMigrate implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final ConversationArguments target = new ConversationArguments();
  @Mixin private final JsonOption output = new JsonOption();
  @Mixin private final MaxBlobOption bound = new MaxBlobOption();

  @Option(names = "--format", paramLabel = "NAME", description = "The form to choose: rfd066.")
  private @Nullable String format;

  @Option(names = "--back", description = "Back to payloads in events.json.")
  private boolean back;

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  JpMigrate(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    if (back && format != null) {
      throw new CommandException(ExitCodes.USAGE, "--back and --format exclude each other", null);
    }
    Workspace workspace = target.workspace(terminal);
    if (!back) {
      JpExternalize.demandFormat(format, dryRun.dry(), workspace);
    }
    List<Conversation> conversations = target.conversations(workspace, terminal);
    boolean chooses = !dryRun.dry() && !target.isNamed();
    if (chooses && !back) {
      // Before the first file: whoever continues a half migrated workspace must know where it goes.
      roots(workspace, conversations).forEach(root -> OptIn.give(root.blobs()));
    }
    RewriteOutput rewrites =
        new RewriteOutput(terminal, output.json(), back ? "inlined" : "externalized");
    CopyRewriter rewriting = new CopyRewriter(workspace, terminal.clock(), bound.sizeBytesMax());
    boolean whole = true;
    try (ProgressIndicator _ =
        ProgressIndicator.on(() -> rewrites.progress(conversations.size()), terminal)) {
      for (Conversation conversation : conversations) {
        List<CopyReport> reports =
            back
                ? rewriting.inline(conversation, dryRun.dry())
                : rewriting.externalize(conversation, dryRun.dry());
        rewrites.add(reports);
        whole &= reports.stream().allMatch(CopyReport::isWhole);
      }
    }
    rewrites.sum(dryRun.dry());
    if (chooses && back && whole) {
      workspace.roots().forEach(root -> OptIn.takeBack(root.blobs()));
    }
    advise(whole, terminal);
    return rewrites.status();
  }

  private static List<WorkspaceRoot> roots(Workspace workspace, List<Conversation> conversations) {
    List<WorkspaceRoot> roots = new ArrayList<>();
    for (WorkspaceRoot root : workspace.roots()) {
      if (conversations.stream().anyMatch(each -> each.in(root.kind()).isPresent())) {
        roots.add(root);
      }
    }
    return roots;
  }

  private void advise(boolean whole, Terminal terminal) {
    if (!whole && !dryRun.dry()) {
      terminal.say(
          "Some conversations are not done yet; run the command again when the reasons are gone.");
    } else if (!back && !dryRun.dry()) {
      terminal.say("Stage blobs with their conversations: 'varve jp show --files ID'.");
      terminal.say("For .gitattributes: .jp/blobs/** -text -diff -merge");
    } else if (back && !dryRun.dry()) {
      terminal.say("The blobs are still there; 'varve jp gc' removes them a week after their use.");
    }
  }
}
