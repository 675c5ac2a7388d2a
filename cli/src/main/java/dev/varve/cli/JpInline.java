// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.Rewriting;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Workspace;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp inline`
@Command(
    name = "inline",
    description = {
      "Puts payloads back in the place of references, so that JP as released reads them.",
      "",
      "A file that 'varve jp externalize' made comes back byte for byte, with its time. Blobs stay;"
          + " 'varve jp gc' removes those that nothing refers to."
    },
    footer = {"  varve jp inline", "  varve jp inline --dry-run jp-c17800000001"})
final class JpInline implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpTarget target = new JpTarget();
  @Mixin private final JsonOption output = new JsonOption();
  @Mixin private final JpBound bound = new JpBound();

  @Option(
      names = {"-n", "--dry-run"},
      description = "Tells what would be done, and does nothing.")
  private boolean dry;

  JpInline(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Workspace workspace = target.workspace(terminal);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    JpRewrites rewrites = new JpRewrites(terminal, output.json(), "inlined");
    Rewriting rewriting = new Rewriting(workspace, terminal.clock(), bound.sizeBytesMax());
    try (Waiting _ = Waiting.on(() -> rewrites.progress(conversations.size()), terminal)) {
      for (Conversation conversation : conversations) {
        rewrites.add(rewriting.inline(conversation, dry));
      }
    }
    rewrites.sum(dry);
    return rewrites.status();
  }
}
