// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.CountArgument;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import dev.varve.jp.CopyOverview;
import dev.varve.jp.DiskUsage;
import dev.varve.jp.place.WorkspaceRoot;
import dev.varve.json.JsonLine;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp du`
@Command(
    name = "du",
    description = {
      "Reports the space that a workspace takes, and the space saved by contents that conversations"
          + " share.",
      "",
      "No blob is opened: the sizes of payloads are those that references state."
    },
    footer = {
      "  varve jp du",
      "  varve jp du -n 5            the five conversations with the most of their own"
    })
final class JpDu implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final WorkspaceOption place = new WorkspaceOption();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(
      names = "-n",
      paramLabel = "N",
      converter = CountArgument.class,
      description = "The number of conversations to list (10).")
  private int limit = 10;

  JpDu(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    boolean whole = true;
    var workspace = place.find(terminal);
    for (WorkspaceRoot root : workspace.roots()) {
      DiskUsage usage = DiskUsage.of(workspace, root, terminal.clock());
      whole &= usage.unread().isEmpty();
      usage.unread().forEach(reason -> terminal.complain(StyledLine.of(reason)));
      for (DiskUsage.Share share : usage.shares()) {
        whole &= share.overview().problems().isEmpty();
        ProblemOutput.complain(share.overview(), terminal);
      }
      if (output.json()) {
        printJson(usage, terminal);
      } else {
        print(usage, terminal);
      }
    }
    return whole ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private void print(DiskUsage usage, Terminal terminal) {
    terminal.println(
        new StyledLine()
            .add(StyledLine.Style.BOLD, usage.root().kind().words())
            .add("  " + usage.root().folder()));
    row(
        "conversations",
        usage.conversations().count(),
        "",
        usage.conversations().sizeBytes(),
        terminal);
    row("payloads inside", usage.inline().count(), "", usage.inline().sizeBytes(), terminal);
    row(
        "payloads in blobs",
        usage.referenced().count(),
        "",
        usage.referenced().sizeBytes(),
        terminal);
    row(
        "different ones",
        usage.contents().count(),
        saved(usage),
        usage.contents().sizeBytes(),
        terminal);
    row(
        "blob files",
        usage.blobs().all().count(),
        compressed(usage),
        usage.blobs().all().sizeBytes(),
        terminal);
    row(
        "on the disk",
        usage.blobs().all().count(),
        "with folders, in blocks of 4 KiB",
        usage.blobs().diskBytes(),
        terminal);
    row(
        "without reference",
        usage.blobs().unreferenced().count(),
        "",
        usage.blobs().unreferenced().sizeBytes(),
        terminal);
    List<DiskUsage.Share> largest =
        usage.shares().stream()
            .filter(share -> share.overview().referenced().count() > 0)
            .sorted(Comparator.comparingLong(DiskUsage.Share::aloneBytes).reversed())
            .limit(Math.max(0, limit))
            .toList();
    if (!largest.isEmpty()) {
      terminal.println("");
      TextTable table = new TextTable("conversation", ">payload bytes", ">its alone", "title");
      for (DiskUsage.Share share : largest) {
        CopyOverview overview = share.overview();
        table.row(
            overview.copy().id().toString(),
            HumanText.number(overview.referenced().sizeBytes()),
            HumanText.number(share.aloneBytes()),
            overview.title());
      }
      table.print(terminal);
    }
  }

  private static void row(String what, long count, String note, long bytes, Terminal terminal) {
    String number = HumanText.number(count);
    String size = HumanText.number(bytes);
    terminal.println(
        new StyledLine()
            .add("  " + what)
            .tab(22)
            .add(" ".repeat(Math.max(0, 10 - number.length())) + number)
            .add(" ".repeat(Math.max(1, 16 - size.length())) + size + " bytes")
            .add(note.isEmpty() ? "" : "  " + note));
  }

  private static String saved(DiskUsage usage) {
    long saved = usage.referenced().sizeBytes() - usage.contents().sizeBytes();
    return saved > 0 ? HumanText.number(saved) + " saved by keeping each once" : "";
  }

  private static String compressed(DiskUsage usage) {
    return usage.contents().sizeBytes() > 0
        ? 100 * usage.blobs().all().sizeBytes() / usage.contents().sizeBytes()
            + " % of the contents"
        : "";
  }

  private static void printJson(DiskUsage usage, Terminal terminal) {
    new JsonLine()
        .text("root", usage.root().kind().words())
        .text("folder", usage.root().folder().toString())
        .number("conversations", usage.conversations().count())
        .number("events_bytes", usage.conversations().sizeBytes())
        .number("inline", usage.inline().count())
        .number("inline_bytes", usage.inline().sizeBytes())
        .number("references", usage.referenced().count())
        .number("referenced_bytes", usage.referenced().sizeBytes())
        .number("contents", usage.contents().count())
        .number("content_bytes", usage.contents().sizeBytes())
        .number("blobs", usage.blobs().all().count())
        .number("blob_bytes", usage.blobs().all().sizeBytes())
        .number("disk_bytes", usage.blobs().diskBytes())
        .number("unreferenced", usage.blobs().unreferenced().count())
        .number("unreferenced_bytes", usage.blobs().unreferenced().sizeBytes())
        .objects(
            "shares",
            usage.shares(),
            (line, share) ->
                line.id("conversation", share.overview().copy().id())
                    .number("referenced_bytes", share.overview().referenced().sizeBytes())
                    .number("alone_bytes", share.aloneBytes()))
        .print(terminal);
  }
}
