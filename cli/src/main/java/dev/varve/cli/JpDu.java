// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.Overview;
import dev.varve.jp.Usage;
import dev.varve.jp.place.Root;
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
      "Tells what a workspace takes, what its conversations share, and what that saves.",
      "",
      "Opens no blob: sizes of payloads are what their references say."
    },
    footer = {
      "  varve jp du",
      "  varve jp du -n 5            the five conversations with the most of their own"
    })
final class JpDu implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpWorkspace place = new JpWorkspace();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(names = "-n", paramLabel = "N", description = "How many conversations to list (10).")
  private int limit = 10;

  JpDu(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    boolean whole = true;
    var workspace = place.find(terminal);
    for (Root root : workspace.roots()) {
      Usage usage = Usage.of(workspace, root, terminal.clock());
      whole &= usage.unread().isEmpty();
      usage.unread().forEach(reason -> terminal.complain(Line.of(reason)));
      if (output.json()) {
        printJson(usage, terminal);
      } else {
        print(usage, terminal);
      }
    }
    return whole ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private void print(Usage usage, Terminal terminal) {
    terminal.println(
        new Line()
            .add(Line.Style.BOLD, usage.root().kind().words())
            .add("  " + usage.root().folder()));
    row("conversations", usage.conversations(), "", usage.eventsBytes(), terminal);
    row("payloads inside", usage.inline(), "", usage.inlineBytes(), terminal);
    row("payloads in blobs", usage.references(), "", usage.referencedBytes(), terminal);
    row("different ones", usage.contents(), saved(usage), usage.contentBytes(), terminal);
    row("blob files", usage.blobs(), compressed(usage), usage.blobBytes(), terminal);
    row(
        "on the disk",
        usage.blobs(),
        "with folders, in blocks of 4 KiB",
        usage.diskBytes(),
        terminal);
    row("without reference", usage.unreferenced(), "", usage.unreferencedBytes(), terminal);
    List<Usage.Share> largest =
        usage.shares().stream()
            .filter(share -> share.overview().references() > 0)
            .sorted(Comparator.comparingLong(Usage.Share::aloneBytes).reversed())
            .limit(Math.max(0, limit))
            .toList();
    if (!largest.isEmpty()) {
      terminal.println("");
      Table table = new Table("conversation", ">payload bytes", ">its alone", "title");
      for (Usage.Share share : largest) {
        Overview overview = share.overview();
        table.row(
            overview.copy().id().toString(),
            Words.number(overview.referencedBytes()),
            Words.number(share.aloneBytes()),
            overview.title());
      }
      table.print(terminal);
    }
  }

  private static void row(String what, long count, String note, long bytes, Terminal terminal) {
    String number = Words.number(count);
    String size = Words.number(bytes);
    terminal.println(
        new Line()
            .add("  " + what)
            .tab(22)
            .add(" ".repeat(Math.max(0, 10 - number.length())) + number)
            .add(" ".repeat(Math.max(1, 16 - size.length())) + size + " bytes")
            .add(note.isEmpty() ? "" : "  " + note));
  }

  private static String saved(Usage usage) {
    long saved = usage.referencedBytes() - usage.contentBytes();
    return saved > 0 ? Words.number(saved) + " saved by keeping each once" : "";
  }

  private static String compressed(Usage usage) {
    return usage.contentBytes() > 0
        ? 100 * usage.blobBytes() / usage.contentBytes() + " % of the contents"
        : "";
  }

  private static void printJson(Usage usage, Terminal terminal) {
    new JsonLine()
        .text("root", usage.root().kind().words())
        .text("folder", usage.root().folder().toString())
        .number("conversations", usage.conversations())
        .number("events_bytes", usage.eventsBytes())
        .number("inline", usage.inline())
        .number("inline_bytes", usage.inlineBytes())
        .number("references", usage.references())
        .number("referenced_bytes", usage.referencedBytes())
        .number("contents", usage.contents())
        .number("content_bytes", usage.contentBytes())
        .number("blobs", usage.blobs())
        .number("blob_bytes", usage.blobBytes())
        .number("disk_bytes", usage.diskBytes())
        .number("unreferenced", usage.unreferenced())
        .number("unreferenced_bytes", usage.unreferencedBytes())
        .objects(
            "shares",
            usage.shares(),
            (line, share) ->
                line.id("conversation", share.overview().copy().id())
                    .number("referenced_bytes", share.overview().referencedBytes())
                    .number("alone_bytes", share.aloneBytes()))
        .print(terminal);
  }
}
