// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.pi.session.EntryReader;
import dev.varve.pi.session.EntryTable;
import dev.varve.pi.session.EntryWords;
import dev.varve.pi.session.SessionRecord;
import dev.varve.pi.session.SessionTree;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A session's tree as people read it: from its root downwards, a row an entry. The main line,
/// which ends where Pi goes on, keeps its column; other branches stand to its right, before it goes
/// on.
final class TreeDrawing {

  /// Branches within branches are drawn up to here; what is deeper stands in the same column.
  private static final int DEPTH_MAX = 20;

  /// Where a walk goes on.
  private record Start(int entry, int depth, boolean branches) {}

  private final SessionTree tree;
  private final EntryTable entries;
  private final Path file;
  private final boolean all;
  private final Deque<Start> waiting = new ArrayDeque<>();
  private int folded;

  TreeDrawing(SessionTree tree, Path file, boolean all) {
    this.tree = tree;
    this.entries = tree.entries();
    this.file = file;
    this.all = all;
  }

  void print(Terminal terminal) {
    head(terminal);
    try (EntryReader reader = EntryReader.open(file)) {
      for (int root = tree.firstRoot(); root >= 0; root = tree.nextSibling(root)) {
        waiting.push(new Start(root, 0, false));
        while (!waiting.isEmpty()) {
          walk(waiting.pop(), reader, terminal);
        }
      }
    }
  }

  private void head(Terminal terminal) {
    SessionRecord.Header header = tree.header().orElse(null);
    String name = tree.name().isBlank() ? "" : "  " + PiFiles.line(tree.name());
    terminal.println(
        new StyledLine()
            .add(
                StyledLine.Style.BOLD,
                "session " + (header == null ? "without header" : header.id()))
            .add(SafeText.cut(name, 80)));
    if (header != null) {
      field("in", header.cwd(), terminal);
      field("began", time(header.timestamp(), terminal), terminal);
      if (header.version() != 3) {
        field("format", "version " + header.version(), terminal);
      }
      if (header.parentSession() != null) {
        field("forked from", header.parentSession(), terminal);
      }
    }
    field(
        "holds",
        HumanText.count(entries.count(), "entry").replace("entrys", "entries")
            + ", "
            + HumanText.count(tree.tips(), "branch").replace("branchs", "branches"),
        terminal);
    terminal.println("");
  }

  private static void field(String name, String value, Terminal terminal) {
    terminal.println(new StyledLine().add(StyledLine.Style.FAINT, "  " + name).tab(15).add(value));
  }

  /// Follows a line until it ends or forks.
  private void walk(Start start, EntryReader reader, Terminal terminal) {
    boolean branches = start.branches();
    int at = start.entry();
    folded = 0;
    while (true) {
      EntryWords words = reader.words(entries.offset(at), entries.sizeBytes(at));
      boolean ends = tree.firstChild(at) < 0;
      if (all || ends || branches || tree.forks(at) || isShown(at, words)) {
        row(at, words, start.depth(), branches, terminal);
        branches = false;
      } else {
        folded++;
      }
      if (ends) {
        return;
      }
      if (tree.forks(at)) {
        fork(at, start.depth());
        return;
      }
      at = tree.mainChild(at);
    }
  }

  private void fork(int at, int depth) {
    waiting.push(new Start(tree.mainChild(at), depth, false));
    Deque<Start> sides = new ArrayDeque<>();
    for (int child = tree.firstChild(at); child >= 0; child = tree.nextSibling(child)) {
      if (child != tree.mainChild(at)) {
        sides.push(new Start(child, depth + 1, true));
      }
    }
    sides.forEach(waiting::push);
  }

  private boolean isShown(int entry, EntryWords words) {
    if (entries.parent(entry) < EntryTable.ROOT || tree.label(entry).isPresent()) {
      return true;
    }
    return switch (words.kind()) {
      case USER, MODEL, COMPACTION, BRANCH_SUMMARY, CUSTOM_MESSAGE, NAME, BASH, UNKNOWN -> true;
      case ASSISTANT,
          TOOL_RESULT,
          SYSTEM,
          OTHER_MESSAGE,
          THINKING,
          CUSTOM,
          LABEL,
          USAGE,
          CONTEXT_EDIT ->
          false;
    };
  }

  private void row(int entry, EntryWords words, int depth, boolean branches, Terminal terminal) {
    boolean lines = terminal.drawsLines();
    StyledLine line = new StyledLine();
    line.add(StyledLine.Style.FAINT, trunk(depth, branches, lines));
    line.add(lines ? "● " : "* ");
    line.add(
        StyledLine.Style.YELLOW, words.id().isEmpty() ? "line " + entries.line(entry) : words.id());
    line.add(" ");
    tree.label(entry)
        .ifPresent(label -> line.add(StyledLine.Style.GREEN, "[" + PiFiles.line(label) + "] "));
    note(entry, words).ifPresent(note -> line.add(StyledLine.Style.RED, "(" + note + ") "));
    if (entry == tree.leaf()) {
      line.add(StyledLine.Style.CYAN, "(here Pi goes on) ");
    } else if (tree.firstChild(entry) < 0) {
      line.add(StyledLine.Style.CYAN, "(end of a branch) ");
    }
    line.add(StyledLine.Style.FAINT, words.kind().words());
    if (folded > 0) {
      line.add(StyledLine.Style.FAINT, " +" + folded);
      folded = 0;
    }
    int room = Math.max(20, terminal.columns() - line.columns() - 2);
    String text = PiFiles.line(words.text());
    terminal.println(
        line.add(text.isEmpty() ? "" : ": " + SafeText.cut(SafeText.line(text), room)));
  }

  private static String trunk(int depth, boolean branches, boolean lines) {
    int drawn = Math.min(depth, DEPTH_MAX);
    String bar = lines ? "│ " : "| ";
    return branches && drawn > 0
        ? bar.repeat(drawn - 1) + (lines ? "├─" : "|-")
        : bar.repeat(drawn);
  }

  private Optional<String> note(int entry, EntryWords words) {
    return switch (entries.parent(entry)) {
      case EntryTable.MISSING ->
          Optional.of("its parent " + words.parentId() + " is not in the file");
      case EntryTable.CIRCULAR -> Optional.of("its parents go in a circle");
      default ->
          entries.shadowed(entry) ? Optional.of("another entry has its id") : Optional.empty();
    };
  }

  private static String time(@Nullable String timestamp, Terminal terminal) {
    try {
      return timestamp == null ? "?" : HumanText.minute(Instant.parse(timestamp), terminal.zone());
    } catch (DateTimeException e) {
      return timestamp;
    }
  }
}
