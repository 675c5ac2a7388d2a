// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.StockJp;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.Workspace;
import dev.varve.json.JsonLine;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp check`
@Command(
    name = "check",
    description = {
      "Reports what released versions of JP would do with each conversation.",
      "",
      "reads: JP reads the conversation. loses: JP drops data at its next write. unreadable: JP"
          + " reports that the events are not found. trashes: JP moves the conversation to its"
          + " trash at the next start."
    },
    footer = {
      "  varve jp check              exit status 3 if any is not read as it is meant",
      "  varve jp check --all jp-c17800000001"
    })
final class JpCheck implements Callable<Integer> {

  private static final int REASONS_LISTED = 3;

  private final CommandSession command;

  @Mixin private final ConversationArguments target = new ConversationArguments();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(names = "--all", description = "Every reason, not only the first three.")
  private boolean all;

  JpCheck(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Workspace workspace = target.workspace(terminal);
    List<ConversationCopy> copies = new ArrayList<>();
    for (Conversation conversation : target.conversations(workspace, terminal)) {
      copies.addAll(conversation.copies());
    }
    Map<StockJp.Verdict, Integer> counts = new EnumMap<>(StockJp.Verdict.class);
    for (ConversationCopy copy : copies) {
      StockJp.Opinion opinion = StockJp.of(copy);
      counts.merge(opinion.verdict(), 1, Integer::sum);
      if (output.json()) {
        printJson(opinion, terminal);
      } else {
        print(opinion, terminal);
      }
    }
    int sound = counts.getOrDefault(StockJp.Verdict.READS, 0);
    if (!output.json()) {
      terminal.println(
          copies(copies)
              + ": "
              + counts.getOrDefault(StockJp.Verdict.READS, 0)
              + " read, "
              + counts.getOrDefault(StockJp.Verdict.LOSES, 0)
              + " with loss, "
              + counts.getOrDefault(StockJp.Verdict.UNREADABLE, 0)
              + " unreadable, "
              + counts.getOrDefault(StockJp.Verdict.TRASHES, 0)
              + " for the trash");
    }
    return sound == copies.size() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  /// Of a conversation that is in both roots there are two.
  private static String copies(List<ConversationCopy> copies) {
    long conversations = copies.stream().map(ConversationCopy::id).distinct().count();
    return conversations == copies.size()
        ? HumanText.count(copies.size(), "conversation")
        : HumanText.number(copies.size())
            + " copies of "
            + HumanText.count(conversations, "conversation");
  }

  private void print(StockJp.Opinion opinion, Terminal terminal) {
    StockJp.Verdict verdict = opinion.verdict();
    StyledLine.Style style =
        switch (verdict) {
          case READS -> StyledLine.Style.GREEN;
          case LOSES -> StyledLine.Style.YELLOW;
          case UNREADABLE, TRASHES -> StyledLine.Style.RED;
        };
    terminal.println(
        new StyledLine()
            .add(style, verdict.name().toLowerCase(Locale.ROOT))
            .tab(12)
            .add(opinion.copy().id().toString())
            .tab(29)
            .add(opinion.copy().root().kind().words())
            .tab(41)
            .add(opinion.copy().name()));
    List<String> reasons = opinion.reasons();
    int listed = all ? reasons.size() : Math.min(REASONS_LISTED, reasons.size());
    for (String reason : reasons.subList(0, listed)) {
      terminal.println(new StyledLine().tab(12).add(reason));
    }
    if (listed < reasons.size()) {
      terminal.println(
          new StyledLine().tab(12).add(HumanText.count(reasons.size() - listed, "more reason")));
    }
  }

  private static void printJson(StockJp.Opinion opinion, Terminal terminal) {
    new JsonLine()
        .id("conversation", opinion.copy().id())
        .text("root", opinion.copy().root().kind().words())
        .text("folder", opinion.copy().folder().toString())
        .text("verdict", opinion.verdict().name().toLowerCase(Locale.ROOT))
        .objects("reasons", opinion.reasons(), (line, reason) -> line.text("what", reason))
        .print(terminal);
  }
}
