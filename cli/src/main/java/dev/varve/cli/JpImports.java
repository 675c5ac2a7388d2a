// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Store;
import dev.varve.jp.Contents;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.travel.JpImport;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve jp import`
@Command(
    name = "import",
    description = {
      "Imports JP's conversations into the store: events become turns, payloads blobs,"
          + " conversations contexts.",
      "",
      "Payloads are kept once, with those of all other conversations in the store, wherever JP had"
          + " them. Files are only read. Importing again adds what is new and nothing else."
    },
    footer = {
      "  varve jp import",
      "  varve jp import jp-c17800000001 --store ./store",
    })
final class JpImports implements Callable<Integer> {

  private static final int PROBLEMS_TOLD = 5;

  private final Varve varve;

  @Mixin private final JpTarget target = new JpTarget();
  @Mixin private final JsonOption output = new JsonOption();
  @Mixin private final JpBound bound = new JpBound();

  private long added;
  private long turns;
  private long shared;
  private long problems;

  JpImports(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Workspace workspace = target.workspace(terminal);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    String id = workspace.id() == null ? "" : workspace.id();
    AtomicInteger done = new AtomicInteger();
    try (Store store = varve.openForImport();
        Waiting _ =
            Waiting.on(
                () -> "conversation " + (done.get() + 1) + " of " + conversations.size(),
                terminal)) {
      for (Conversation conversation : conversations) {
        Copy copy = conversation.newest();
        Contents contents =
            new Contents(workspace, copy.root(), terminal.clock(), bound.sizeBytesMax());
        tell(JpImport.conversation(store, id, copy, contents), terminal);
        done.incrementAndGet();
      }
    }
    if (!output.json()) {
      terminal.println(
          Words.count(conversations.size(), "conversation")
              + ", "
              + Words.number(added)
              + " new or changed, "
              + Words.count(turns, "new turn")
              + ", "
              + Words.number(shared)
              + " shared");
    }
    return problems > 0 ? ExitCodes.DAMAGED : ExitCodes.OK;
  }

  private void tell(JpImport.Report report, Terminal terminal) {
    added += report.isNew() ? 1 : 0;
    turns += report.turnsNew();
    shared += report.turnsShared();
    problems += report.problems().size();
    List<String> told = report.problems();
    for (String problem : told.subList(0, Math.min(PROBLEMS_TOLD, told.size()))) {
      terminal.complain(Line.of(problem));
    }
    if (output.json()) {
      new JsonLine()
          .id("conversation", report.copy().id())
          .text("title", report.title())
          .text("context_id", report.context() == null ? null : report.context().toString())
          .bool("new", report.isNew())
          .number("turns_new", report.turnsNew())
          .number("turns_shared", report.turnsShared())
          .number("payloads", report.payloads())
          .number("problem_count", report.problems().size())
          .print(terminal);
    } else if (report.isNew()) {
      terminal.println(
          new Line()
              .add(Line.Style.YELLOW, String.valueOf(report.context()))
              .tab(8)
              .add(report.copy().id().toString())
              .tab(25)
              .add(Words.count(report.turnsNew(), "turn"))
              .tab(38)
              .add(report.title()));
    }
  }
}
