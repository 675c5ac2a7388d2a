// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ShellWord;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.ConversationRepair;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.ConversationId;
import dev.varve.jp.place.Workspace;
import dev.varve.json.JsonLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve jp fix`
@Command(
    name = "fix",
    description = {
      "Removes errors of editing by hand from a conversation's JSON: a byte-order mark, comments, a"
          + " comma after the last value.",
      "",
      "JP moves a conversation with such an error to its trash at the next start; a conversation in"
          + " the trash is repaired too. The former file is kept as events.json.before-fix. Nothing"
          + " else is changed or guessed."
    },
    footer = {"  varve jp fix --dry-run jp-c17800000001", "  varve jp fix jp-c17800000001"})
final class JpFix implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final WorkspaceOption place = new WorkspaceOption();
  @Mixin private final JsonOption output = new JsonOption();

  @Parameters(arity = "1..*", paramLabel = "ID", description = "Conversations.")
  private List<String> ids = List.of();

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  JpFix(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Workspace workspace = place.find(terminal);
    boolean sound = true;
    for (String id : ids) {
      for (ConversationCopy copy : copies(workspace, ConversationId.parse(id))) {
        List<ConversationRepair.Report> reports =
            ConversationRepair.copy(workspace, copy, dryRun.dry());
        for (ConversationRepair.Report report : reports) {
          sound &= report.left() == null;
          if (output.json()) {
            printJson(report, terminal);
          } else {
            print(report, terminal);
          }
        }
        boolean mended = reports.stream().allMatch(report -> report.left() == null);
        if (copy.partition() == ConversationCopy.Partition.TRASHED && mended && !dryRun.dry()) {
          terminal.say(
              "The conversation is in JP's trash; to take it out: mv "
                  + ShellWord.quote(copy.folder().toString())
                  + " "
                  + ShellWord.quote(copy.root().conversations().toString()));
        }
      }
    }
    return sound ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private static List<ConversationCopy> copies(Workspace workspace, ConversationId id) {
    List<ConversationCopy> copies = new ArrayList<>();
    for (Conversation conversation : workspace.conversations(_ -> {})) {
      if (conversation.id().equals(id)) {
        copies.addAll(conversation.copies());
      }
    }
    workspace.trashed().stream().filter(copy -> copy.id().equals(id)).forEach(copies::add);
    if (copies.isEmpty()) {
      throw new StoreException.NotFound("conversation", id.toString());
    }
    return copies;
  }

  private void print(ConversationRepair.Report report, Terminal terminal) {
    for (String removed : report.removed()) {
      String word = dryRun.dry() || report.left() != null ? "to remove: " : "removed: ";
      terminal.println(word + report.file() + ":" + removed);
    }
    if (report.left() != null) {
      terminal.complain(
          new StyledLine()
              .add(
                  StyledLine.Style.RED,
                  report.file() + ":" + report.left() + " (cannot be repaired)"));
    } else if (report.removed().isEmpty()) {
      terminal.println(report.file() + ": nothing to repair");
    } else if (report.kept() != null) {
      terminal.say("The former file: " + report.kept());
    }
  }

  private static void printJson(ConversationRepair.Report report, Terminal terminal) {
    new JsonLine()
        .text("file", report.file().toString())
        .objects("removed", report.removed(), (line, what) -> line.text("what", what))
        .text("kept", report.kept() == null ? null : report.kept().toString())
        .text("refusal", report.left())
        .print(terminal);
  }
}
