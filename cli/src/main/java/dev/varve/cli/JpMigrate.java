// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.CopyReport;
import dev.varve.jp.Rewriting;
import dev.varve.jp.blobs.OptIn;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Root;
import dev.varve.jp.place.Workspace;
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
      "Chooses a form for the workspace and brings its conversations into it; --back returns to the"
          + " one that JP as released reads.",
      "",
      "Goes on where an earlier run stopped. What could not be done is told, with the reason;"
          + " running it again later does the rest. The choice is a file, .jp/blobs/.format."
    },
    footer = {
      "  varve jp migrate --format rfd066 --dry-run",
      "  varve jp migrate --format rfd066",
      "  varve jp migrate --back",
      "  varve jp migrate --format rfd066 jp-c17800000001    one conversation only; chooses nothing"
    })
final class JpMigrate implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpTarget target = new JpTarget();
  @Mixin private final JsonOption output = new JsonOption();
  @Mixin private final JpBound bound = new JpBound();

  @Option(names = "--format", paramLabel = "NAME", description = "The form to choose: rfd066.")
  private @Nullable String format;

  @Option(names = "--back", description = "Back to payloads in events.json.")
  private boolean back;

  @Option(
      names = {"-n", "--dry-run"},
      description = "Tells what would be done, and does nothing.")
  private boolean dry;

  JpMigrate(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    if (back && format != null) {
      throw new Refusal(ExitCodes.USAGE, "--back and --format exclude each other", null);
    }
    Workspace workspace = target.workspace(terminal);
    if (!back) {
      JpExternalize.demandFormat(format, dry, workspace);
    }
    List<Conversation> conversations = target.conversations(workspace, terminal);
    boolean chooses = !dry && !target.isNamed();
    if (chooses && !back) {
      // Before the first file: whoever continues a half migrated workspace must know where it goes.
      roots(workspace, conversations).forEach(root -> OptIn.give(root.blobs()));
    }
    JpRewrites rewrites =
        new JpRewrites(terminal, output.json(), back ? "inlined" : "externalized");
    Rewriting rewriting = new Rewriting(workspace, terminal.clock(), bound.sizeBytesMax());
    boolean whole = true;
    try (Waiting _ = Waiting.on(() -> rewrites.progress(conversations.size()), terminal)) {
      for (Conversation conversation : conversations) {
        List<CopyReport> reports =
            back ? rewriting.inline(conversation, dry) : rewriting.externalize(conversation, dry);
        rewrites.add(reports);
        whole &= reports.stream().allMatch(CopyReport::isWhole);
      }
    }
    rewrites.sum(dry);
    if (chooses && back && whole) {
      workspace.roots().forEach(root -> OptIn.takeBack(root.blobs()));
    }
    advise(whole, terminal);
    return rewrites.status();
  }

  private static List<Root> roots(Workspace workspace, List<Conversation> conversations) {
    List<Root> roots = new ArrayList<>();
    for (Root root : workspace.roots()) {
      if (conversations.stream().anyMatch(each -> each.in(root.kind()).isPresent())) {
        roots.add(root);
      }
    }
    return roots;
  }

  private void advise(boolean whole, Terminal terminal) {
    if (!whole && !dry) {
      terminal.say("Some conversations are not done yet; run this again when that is settled.");
    } else if (!back && !dry) {
      terminal.say("Stage blobs with their conversations: 'varve jp show --files ID'.");
      terminal.say("For .gitattributes: .jp/blobs/** -text -diff -merge");
    } else if (back && !dry) {
      terminal.say("The blobs are still there; 'varve jp gc' removes them a week after their use.");
    }
  }
}
