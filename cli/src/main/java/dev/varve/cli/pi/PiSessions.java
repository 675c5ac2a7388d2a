// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.CountArgument;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import dev.varve.json.JsonLine;
import dev.varve.pi.session.SessionList;
import dev.varve.pi.session.SessionRecord;
import dev.varve.pi.session.SessionSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi sessions`
@Command(
    name = "sessions",
    description = {
      "Lists the sessions of Pi, the last active first.",
      "",
      "Only the beginning and the end of each file are read."
    },
    footer = {
      "  varve pi sessions                   those of this user",
      "  varve pi sessions ~/backup/pi -n 5  those below another folder",
      "  varve pi sessions --whole --json    reads all of each file, and counts entries"
    })
final class PiSessions implements Callable<Integer> {

  private final CommandSession command;
  private volatile int done;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "The folder to look in. Else Pi's folder of sessions.")
  private @Nullable Path folder;

  @Option(
      names = "-n",
      paramLabel = "N",
      converter = CountArgument.class,
      description = "The number of sessions to list (20).")
  private int limit = 20;

  @Option(names = "--all", description = "Lists all sessions.")
  private boolean all;

  @Option(
      names = "--whole",
      description =
          "Reads the files to their ends: counts entries, finds names that were set midway.")
  private boolean whole;

  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiSessions(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Path where = folder == null ? pi.folder(terminal).sessions() : folder;
    if (!Files.isDirectory(where)) {
      throw new CommandException(
          ExitCodes.NOT_FOUND, where + ": no such folder", "Name another: DIR");
    }
    SessionList list;
    try (ProgressIndicator _ = ProgressIndicator.on(() -> done + " sessions read", terminal)) {
      list = SessionList.below(where, whole, count -> done = count);
    }
    List<SessionSummary> shown =
        all ? list.sessions() : list.sessions().stream().limit(limit).toList();
    if (output.json()) {
      shown.forEach(session -> json(session).print(terminal));
    } else {
      print(shown, terminal);
    }
    if (shown.size() < list.sessions().size() && terminal.errIsTerminal()) {
      terminal.say(
          HumanText.count(list.sessions().size(), "session") + " in all: --all shows them.");
    }
    list.problems().forEach(problem -> terminal.complain(StyledLine.of(problem)));
    return list.problems().isEmpty() ? ExitCodes.OK : ExitCodes.INPUT_OUTPUT;
  }

  private static void print(List<SessionSummary> sessions, Terminal terminal) {
    TextTable table = new TextTable("SESSION", "ACTIVE", ">SIZE", "FOLDER", "TITLE");
    for (SessionSummary session : sessions) {
      SessionRecord.Header header = session.header();
      table.row(
          header == null ? "(no header)" : header.id(),
          HumanText.age(session.lastActiveAt(), terminal.clock().instant()),
          HumanText.size(session.sizeBytes()),
          header == null ? "" : SafeText.cut(SafeText.line(lastNames(header.cwd())), 30),
          header == null ? session.file().toString() : PiFiles.line(session.title()));
    }
    table.print(terminal);
  }

  /// The end of a path, by which people distinguish folders.
  private static String lastNames(String path) {
    int last = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    int before = Math.max(path.lastIndexOf('/', last - 1), path.lastIndexOf('\\', last - 1));
    return before > 0 ? "…" + path.substring(before) : path;
  }

  private static JsonLine json(SessionSummary session) {
    SessionRecord.Header header = session.header();
    return new JsonLine()
        .text("file", session.file().toString())
        .text("session", header == null ? null : header.id())
        .text("cwd", header == null ? null : header.cwd())
        .text("parent_session", header == null ? null : header.parentSession())
        .text("name", session.name().isEmpty() ? null : session.name())
        .text("first_prompt", session.firstPrompt().isEmpty() ? null : session.firstPrompt())
        .time("last_active_at", session.lastActiveAt())
        .number("size_bytes", session.sizeBytes())
        .numberOrNull("entries", session.entries() < 0 ? null : session.entries())
        .number("read_bytes", session.readBytes());
  }
}
