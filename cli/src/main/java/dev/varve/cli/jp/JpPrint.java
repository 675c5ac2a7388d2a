// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.ConversationText;
import dev.varve.jp.WorkspaceContents;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationCopy;
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
      "Prints conversations with their payloads, wherever the payloads are kept.",
      "",
      "Each of several conversations begins with a line that names it. A missing or damaged payload"
          + " is reported at its place in the text, and by the exit status."
    },
    footer = {
      "  varve jp print jp-c17800000001",
      "  varve jp print jp-c17800000001 --last 2 --lines 20",
    })
final class JpPrint implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final ConversationArguments target = new ConversationArguments();
  @Mixin private final MaxBlobOption bound = new MaxBlobOption();

  @Option(names = "--last", paramLabel = "N", description = "Only the last N turns.")
  private int last = Integer.MAX_VALUE;

  @Option(names = "--lines", paramLabel = "N", description = "At most N lines of each payload.")
  private int lines = Integer.MAX_VALUE;

  JpPrint(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    if (last < 1 || lines < 1) {
      throw new CommandException(ExitCodes.USAGE, "--last, --lines: expected 1 or more", null);
    }
    Workspace workspace = target.workspace(terminal);
    boolean whole = true;
    List<Conversation> conversations = target.conversations(workspace, terminal);
    for (Conversation conversation : conversations) {
      if (conversations.size() > 1) {
        terminal.print("# Conversation " + conversation.id() + "\n\n");
      }
      ConversationCopy copy = conversation.newest();
      WorkspaceContents contents =
          new WorkspaceContents(workspace, copy.root(), terminal.clock(), bound.sizeBytesMax());
      List<String> problems = ConversationText.write(copy, contents, last, lines, terminal::print);
      for (String problem : problems) {
        terminal.complain(StyledLine.of(copy.folder() + "/" + problem));
      }
      whole &= problems.isEmpty();
    }
    return whole ? ExitCodes.OK : ExitCodes.DAMAGED;
  }
}
