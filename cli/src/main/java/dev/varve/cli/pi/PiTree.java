// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.pi.session.SessionTree;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve pi tree`
@Command(
    name = "tree",
    description = {
      "Draws a session of Pi as a tree: branches, labels, compactions, changes of model, names, and"
          + " the session from which it was forked.",
      "",
      "The file is only read. +3 means that three entries before this entry are not shown."
    },
    footer = {
      "  varve pi tree                        the newest session of this folder",
      "  varve pi tree 01a21ebe               one by its id, or how that begins",
      "  varve pi tree session.jsonl          prompts, and what changed between them",
      "  varve pi tree session.jsonl --all    every entry",
      "  varve pi tree session.jsonl --json   every entry, an object a line"
    })
final class PiTree implements Callable<Integer> {

  private final CommandSession command;
  private volatile long doneBytes;

  @Mixin private final SessionArgument session = new SessionArgument();

  @Option(
      names = "--all",
      description = "Shows every entry, also the entries of the agent at work.")
  private boolean all;

  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiTree(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Path file = session.file(pi, terminal);
    SessionTree tree;
    try (ProgressIndicator _ =
        ProgressIndicator.on(() -> "read " + HumanText.size(doneBytes), terminal)) {
      tree = SessionTree.read(file, bytes -> doneBytes = bytes);
    }
    if (output.json()) {
      new TreeJson(tree, file).print(terminal);
    } else {
      new TreeDrawing(tree, file, all).print(terminal);
    }
    if (tree.damagedPieces() > 0) {
      terminal.say(
          HumanText.count(tree.damagedPieces(), "piece")
              + " of the file could not be read: '"
              + terminal.command()
              + " pi doctor' explains.");
    }
    return ExitCodes.OK;
  }
}
