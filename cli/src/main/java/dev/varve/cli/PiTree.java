// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.session.SessionTree;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi tree`
@Command(
    name = "tree",
    description = {
      "Draws a session of Pi as the tree that it is: branches, labels, compactions, changes of"
          + " model, names, and where it was forked from.",
      "",
      "The file is only read. +3 tells that three entries in front of this one are not shown."
    },
    footer = {
      "  varve pi tree                        the newest session of this folder",
      "  varve pi tree 01a21ebe               one by its id, or how that begins",
      "  varve pi tree session.jsonl          prompts, and what changed between them",
      "  varve pi tree session.jsonl --all    every entry",
      "  varve pi tree session.jsonl --json   every entry, an object a line"
    })
final class PiTree implements Callable<Integer> {

  private final Varve varve;
  private volatile long doneBytes;

  @Parameters(
      arity = "0..1",
      paramLabel = "SESSION",
      description = "A file, or an id (default: the newest session of this folder).")
  private @Nullable String session;

  @Option(names = "--all", description = "Every entry, also those of the agent at work.")
  private boolean all;

  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiTree(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Path file = PiFiles.session(session, pi, terminal);
    SessionTree tree;
    try (Waiting _ = Waiting.on(() -> "read " + Words.size(doneBytes), terminal)) {
      tree = SessionTree.read(file, bytes -> doneBytes = bytes);
    }
    if (output.json()) {
      new TreeJson(tree, file).print(terminal);
    } else {
      new TreeDrawing(tree, file, all).print(terminal);
    }
    if (tree.damagedPieces() > 0) {
      terminal.say(
          Words.count(tree.damagedPieces(), "piece")
              + " of the file could not be read: '"
              + terminal.command()
              + " pi doctor' explains.");
    }
    return ExitCodes.OK;
  }
}
