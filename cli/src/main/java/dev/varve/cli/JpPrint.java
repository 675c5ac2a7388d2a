// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.Contents;
import dev.varve.jp.Transcript;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Workspace;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp print`
@Command(
    name = "print",
    description = {
      "Prints conversations with their payloads in place, wherever those are kept.",
      "",
      "A payload that is missing or damaged is told where it belongs, and by the exit status."
    },
    footer = {
      "  varve jp print jp-c17800000001",
      "  varve jp print jp-c17800000001 --last 2 --lines 20",
    })
final class JpPrint implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpTarget target = new JpTarget();
  @Mixin private final JpBound bound = new JpBound();

  @Option(names = "--last", paramLabel = "N", description = "Only the last N turns.")
  private int last = Integer.MAX_VALUE;

  @Option(names = "--lines", paramLabel = "N", description = "At most N lines of each payload.")
  private int lines = Integer.MAX_VALUE;

  JpPrint(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    if (!target.isNamed()) {
      throw new Refusal(
          ExitCodes.USAGE, "jp print: which conversation?", "'varve jp show' lists them.");
    }
    if (last < 1 || lines < 1) {
      throw new Refusal(ExitCodes.USAGE, "--last, --lines: expected 1 or more", null);
    }
    Workspace workspace = target.workspace(terminal);
    boolean whole = true;
    for (Conversation conversation : target.conversations(workspace, terminal)) {
      Copy copy = conversation.newest();
      Contents contents =
          new Contents(workspace, copy.root(), terminal.clock(), bound.sizeBytesMax());
      List<String> problems = Transcript.write(copy, contents, last, lines, terminal::print);
      for (String problem : problems) {
        terminal.complain(Line.of(copy.folder() + "/" + problem));
      }
      whole &= problems.isEmpty();
    }
    return whole ? ExitCodes.OK : ExitCodes.DAMAGED;
  }
}
