// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.CopyRewriter;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Workspace;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve jp inline`
@Command(
    name = "inline",
    description = {
      "Puts payloads back in the place of references, so that released versions of JP read them.",
      "",
      "A file that 'varve jp externalize' made comes back byte for byte, with its time. Blobs stay;"
          + " 'varve jp gc' removes blobs to which nothing refers."
    },
    footer = {"  varve jp inline", "  varve jp inline --dry-run jp-c17800000001"})
final class JpInline implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final ConversationArguments target = new ConversationArguments();
  @Mixin private final JsonOption output = new JsonOption();
  @Mixin private final MaxBlobOption bound = new MaxBlobOption();

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  JpInline(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Workspace workspace = target.workspace(terminal);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    RewriteOutput rewrites = new RewriteOutput(terminal, output.json(), "inlined");
    CopyRewriter rewriting = new CopyRewriter(workspace, terminal.clock(), bound.sizeBytesMax());
    try (ProgressIndicator _ =
        ProgressIndicator.on(() -> rewrites.progress(conversations.size()), terminal)) {
      for (Conversation conversation : conversations) {
        rewrites.add(rewriting.inline(conversation, dryRun.dry()));
      }
    }
    rewrites.sum(dryRun.dry());
    return rewrites.status();
  }
}
