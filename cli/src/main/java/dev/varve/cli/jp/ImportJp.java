// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.Store;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.imports.ImportProblem;
import dev.varve.imports.ImportReport;
import dev.varve.jp.WorkspaceContents;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.travel.JpImport;
import dev.varve.json.JsonLine;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve import jp`
@Command(
    name = "jp",
    description = {
      "Imports JP's conversations into the store: events become turns, payloads blobs,"
          + " conversations contexts.",
      "",
      "Each payload is kept once in the store, wherever JP kept the payload. Files are only read. A"
          + " later import adds only new records."
    },
    footer = {
      "  varve import jp",
      "  varve import jp jp-c17800000001 --store ./store",
    })
final class ImportJp implements Callable<Integer> {

  private static final int PROBLEMS_LISTED = 5;

  private final CommandSession command;

  @Mixin private final ConversationArguments target = new ConversationArguments();
  @Mixin private final JsonOption output = new JsonOption();
  @Mixin private final MaxBlobOption bound = new MaxBlobOption();

  private long added;
  private long turns;
  private long shared;
  private long problems;

  ImportJp(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Workspace workspace = target.workspace(terminal);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    AtomicInteger done = new AtomicInteger();
    try (Store store = command.openForImport();
        ProgressIndicator _ =
            ProgressIndicator.on(
                () -> "conversation " + (done.get() + 1) + " of " + conversations.size(),
                terminal)) {
      for (Conversation conversation : conversations) {
        ConversationCopy copy = conversation.newest();
        WorkspaceContents contents =
            new WorkspaceContents(workspace, copy.root(), terminal.clock(), bound.sizeBytesMax());
        add(JpImport.conversation(store, workspace, copy, contents), terminal);
        done.incrementAndGet();
      }
    }
    if (!output.json()) {
      terminal.report(
          HumanText.count(conversations.size(), "conversation")
              + ", "
              + HumanText.number(added)
              + " new or changed, "
              + HumanText.count(turns, "new turn")
              + ", "
              + HumanText.number(shared)
              + " shared");
    }
    return problems > 0 ? ExitCodes.DAMAGED : ExitCodes.OK;
  }

  private void add(JpImport.Report report, Terminal terminal) {
    ImportReport imported = report.imported();
    boolean isNew = imported.outcome() != ImportReport.Outcome.UNCHANGED;
    added += isNew ? 1 : 0;
    turns += imported.records().turnsNew();
    shared += imported.records().turnsShared();
    problems += imported.problems().count();
    for (ImportProblem problem :
        imported.problems().first().stream().limit(PROBLEMS_LISTED).toList()) {
      terminal.complain(
          StyledLine.of(imported.source().resolve(problem.place()) + ": " + problem.what()));
    }
    String context =
        imported.contexts().all().isEmpty()
            ? null
            : imported.contexts().all().getFirst().toString();
    if (output.json()) {
      new JsonLine()
          .text("conversation", imported.session())
          .text("title", imported.title())
          .text("context_id", context)
          .text("outcome", imported.outcome().name().toLowerCase(Locale.ROOT))
          .bool("new", isNew)
          .number("turns_new", imported.records().turnsNew())
          .number("turns_shared", imported.records().turnsShared())
          .number("payloads", report.payloads())
          .number("problem_count", imported.problems().count())
          .print(terminal);
    } else if (isNew) {
      terminal.report(
          new StyledLine()
              .add(StyledLine.Style.YELLOW, String.valueOf(context))
              .tab(8)
              .add(imported.session())
              .tab(25)
              .add(HumanText.count(imported.records().turnsNew(), "turn"))
              .tab(38)
              .add(imported.title()));
    }
  }
}
