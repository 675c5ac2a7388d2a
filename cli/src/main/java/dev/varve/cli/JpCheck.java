// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.StockJp;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Workspace;
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
      "Tells what JP as released would do with each conversation.",
      "",
      "reads: all is well. loses: JP drops something when it next writes. unreadable: JP says that"
          + " its events are not found. trashes: JP moves it to its trash at the next start."
    },
    footer = {
      "  varve jp check              exit status 3 if any is not read as it is meant",
      "  varve jp check --all jp-c17800000001"
    })
final class JpCheck implements Callable<Integer> {

  private static final int REASONS_TOLD = 3;

  private final Varve varve;

  @Mixin private final JpTarget target = new JpTarget();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(names = "--all", description = "Every reason, not only the first three.")
  private boolean all;

  JpCheck(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Workspace workspace = target.workspace(terminal);
    List<Copy> copies = new ArrayList<>();
    for (Conversation conversation : target.conversations(workspace, terminal)) {
      copies.addAll(conversation.copies());
    }
    Map<StockJp.Verdict, Integer> counts = new EnumMap<>(StockJp.Verdict.class);
    for (Copy copy : copies) {
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
  private static String copies(List<Copy> copies) {
    long conversations = copies.stream().map(Copy::id).distinct().count();
    return conversations == copies.size()
        ? Words.count(copies.size(), "conversation")
        : Words.number(copies.size()) + " copies of " + Words.count(conversations, "conversation");
  }

  private void print(StockJp.Opinion opinion, Terminal terminal) {
    StockJp.Verdict verdict = opinion.verdict();
    Line.Style style =
        switch (verdict) {
          case READS -> Line.Style.GREEN;
          case LOSES -> Line.Style.YELLOW;
          case UNREADABLE, TRASHES -> Line.Style.RED;
        };
    terminal.println(
        new Line()
            .add(style, verdict.name().toLowerCase(Locale.ROOT))
            .tab(12)
            .add(opinion.copy().id().toString())
            .tab(29)
            .add(opinion.copy().root().kind().words())
            .tab(41)
            .add(opinion.copy().name()));
    List<String> reasons = opinion.reasons();
    int told = all ? reasons.size() : Math.min(REASONS_TOLD, reasons.size());
    for (String reason : reasons.subList(0, told)) {
      terminal.println(new Line().tab(12).add(reason));
    }
    if (told < reasons.size()) {
      terminal.println(new Line().tab(12).add(Words.count(reasons.size() - told, "more reason")));
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
