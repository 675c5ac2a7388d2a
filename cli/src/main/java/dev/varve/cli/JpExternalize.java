// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.Rewriting;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.OptIn;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Root;
import dev.varve.jp.place.Workspace;
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
      "Nothing else in events.json changes, and no time of a file does. Released versions of JP"
          + " cannot read the new form: --format rfd066 says that this is known, 'varve jp inline'"
          + " goes back."
    },
    footer = {
      "  varve jp externalize --format rfd066 --dry-run",
      "  varve jp externalize --format rfd066 jp-c17800000001",
      "  varve jp inline                 goes back, byte for byte"
    })
final class JpExternalize implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpTarget target = new JpTarget();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "The form to write: rfd066. Not needed where the workspace has chosen it.")
  private @Nullable String format;

  @Option(
      names = {"-n", "--dry-run"},
      description = "Tells what would be done, and does nothing.")
  private boolean dry;

  JpExternalize(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Workspace workspace = target.workspace(terminal);
    demandFormat(format, dry, workspace);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    JpRewrites rewrites = new JpRewrites(terminal, output.json(), "externalized");
    Rewriting rewriting = new Rewriting(workspace, terminal.clock(), BlobFolder.SIZE_BYTES_MAX);
    try (Waiting _ = Waiting.on(() -> rewrites.progress(conversations.size()), terminal)) {
      for (Conversation conversation : conversations) {
        rewrites.add(rewriting.externalize(conversation, dry));
      }
    }
    rewrites.sum(dry);
    return rewrites.status();
  }

  /// Refuses to write what JP as released cannot read, unless somebody has said that they know.
  static void demandFormat(@Nullable String format, boolean dry, Workspace workspace) {
    if (format != null && !format.equals(OptIn.FORMAT)) {
      throw new Refusal(
          ExitCodes.USAGE, "--format: expected 'rfd066', found '" + format + "'", null);
    }
    boolean chosen =
        workspace.roots().stream().map(Root::blobs).anyMatch(OptIn::isGiven) || format != null;
    if (!chosen && !dry) {
      throw new Refusal(
          ExitCodes.USAGE,
          "released versions of JP cannot read conversations in RFD 066's form: they would say"
              + " 'Conversation events not found'",
          "--format rfd066 writes it all the same; 'varve jp inline' goes back."
              + " 'varve jp migrate --format rfd066' chooses it for the workspace.");
    }
  }
}
