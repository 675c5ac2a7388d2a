// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.jp.Fix;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationId;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve jp fix`
@Command(
    name = "fix",
    description = {
      "Takes the slips of hand editing out of a conversation's JSON: a byte-order mark, comments, a"
          + " comma behind the last value.",
      "",
      "JP moves a conversation with such a slip to its trash at its next start; one that lies there"
          + " is repaired too. What was there is kept beside, as events.json.before-fix. Nothing"
          + " else is changed or guessed."
    },
    footer = {"  varve jp fix --dry-run jp-c17800000001", "  varve jp fix jp-c17800000001"})
final class JpFix implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpWorkspace place = new JpWorkspace();
  @Mixin private final JsonOption output = new JsonOption();

  @Parameters(arity = "1..*", paramLabel = "ID", description = "Conversations.")
  private List<String> ids = List.of();

  @Option(
      names = {"-n", "--dry-run"},
      description = "Tells what would be done, and does nothing.")
  private boolean dry;

  JpFix(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Workspace workspace = place.find(terminal);
    boolean sound = true;
    for (String id : ids) {
      for (Copy copy : copies(workspace, ConversationId.parse(id))) {
        List<Fix.Report> reports = Fix.copy(workspace, copy, dry);
        for (Fix.Report report : reports) {
          sound &= report.left() == null;
          if (output.json()) {
            printJson(report, terminal);
          } else {
            print(report, terminal);
          }
        }
        boolean mended = reports.stream().allMatch(report -> report.left() == null);
        if (copy.partition() == Copy.Partition.TRASHED && mended && !dry) {
          terminal.say(
              "It lies in JP's trash; to take it out: mv "
                  + ShellWord.quote(copy.folder().toString())
                  + " "
                  + ShellWord.quote(copy.root().conversations().toString()));
        }
      }
    }
    return sound ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private static List<Copy> copies(Workspace workspace, ConversationId id) {
    List<Copy> copies = new ArrayList<>();
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

  private void print(Fix.Report report, Terminal terminal) {
    for (String removed : report.removed()) {
      String word = dry || report.left() != null ? "to remove: " : "removed: ";
      terminal.println(word + report.file() + ":" + removed);
    }
    if (report.left() != null) {
      terminal.complain(
          new Line()
              .add(Line.Style.RED, report.file() + ":" + report.left() + " (cannot be repaired)"));
    } else if (report.removed().isEmpty()) {
      terminal.println(report.file() + ": nothing to repair");
    } else if (report.kept() != null) {
      terminal.say("The file as it was: " + report.kept());
    }
  }

  private static void printJson(Fix.Report report, Terminal terminal) {
    new JsonLine()
        .text("file", report.file().toString())
        .objects("removed", report.removed(), (line, what) -> line.text("what", what))
        .text("kept", report.kept() == null ? null : report.kept().toString())
        .text("refusal", report.left())
        .print(terminal);
  }
}
