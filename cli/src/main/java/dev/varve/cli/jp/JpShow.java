// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import dev.varve.jp.CopyOverview;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationCopy;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import dev.varve.json.JsonLine;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp show`
@Command(
    name = "show",
    description = {
      "Lists conversations, or the files of conversations. Opens no blob.",
      "",
      "With --files: the absolute paths of the files to stage for version control, one a line, each"
          + " once. Of a conversation in the workspace, the files in the workspace; else the user's"
          + " own."
    },
    footer = {
      "  varve jp show",
      "  git add $$(varve jp show --files jp-c17800000001)",
      "  varve jp show --files -z jp-c17800000001 | xargs -0 git add --"
    })
final class JpShow implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final ConversationArguments target = new ConversationArguments();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(names = "--files", description = "The files of the conversations.")
  private boolean files;

  @Option(
      names = {"-z", "--null"},
      description = "Paths end with a zero instead of a line end.")
  private boolean zeros;

  @Option(
      names = "--root",
      paramLabel = "NAME",
      description = "The copy to list: workspace or user-local.")
  private @Nullable String rootName;

  JpShow(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    WorkspaceRoot.Kind kind = kind();
    Workspace workspace = target.workspace(terminal);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    if (files) {
      return printFiles(conversations, kind, terminal);
    }
    TextTable table =
        new TextTable(
            "conversation", ">events", ">turns", ">payloads", ">in blobs", "where", "title");
    boolean whole = true;
    for (Conversation conversation : conversations) {
      ConversationCopy copy = kind == null ? conversation.newest() : copy(conversation, kind);
      try {
        CopyOverview overview = CopyOverview.of(copy);
        whole &= overview.problems().isEmpty();
        ProblemOutput.complain(overview, terminal);
        if (output.json()) {
          printJson(conversation, overview, terminal);
        } else {
          table.row(
              conversation.id().toString(),
              HumanText.number(overview.events()),
              HumanText.number(overview.turns()),
              HumanText.number(overview.inline().count() + overview.referenced().count()),
              HumanText.number(overview.referenced().count()),
              conversation.presence() + archived(copy),
              overview.title());
        }
      } catch (StoreException e) {
        whole = false;
        terminal.complain(StyledLine.of(String.valueOf(e.getMessage())));
      }
    }
    if (!output.json()) {
      table.print(terminal);
    }
    return whole ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private static String archived(ConversationCopy copy) {
    return copy.partition() == ConversationCopy.Partition.ARCHIVED ? ", archived" : "";
  }

  private WorkspaceRoot.@Nullable Kind kind() {
    if (rootName == null) {
      return null;
    }
    for (WorkspaceRoot.Kind kind : WorkspaceRoot.Kind.values()) {
      if (kind.words().equals(rootName)) {
        return kind;
      }
    }
    throw new CommandException(
        ExitCodes.USAGE,
        "--root: expected workspace or user-local, found '" + rootName + "'",
        null);
  }

  private static ConversationCopy copy(Conversation conversation, WorkspaceRoot.Kind kind) {
    return conversation
        .in(kind)
        .orElseThrow(
            () ->
                new StoreException.NotFound(
                    "conversation in the " + kind.words() + " root", conversation.id().toString()));
  }

  private int printFiles(
      List<Conversation> conversations, WorkspaceRoot.@Nullable Kind kind, Terminal terminal) {
    if (!target.isNamed()) {
      throw new CommandException(
          ExitCodes.USAGE,
          "jp show --files: of which conversation?",
          "'varve jp show' lists them.");
    }
    List<String> missing = new ArrayList<>();
    Set<Path> found = new LinkedHashSet<>();
    for (Conversation conversation : conversations) {
      ConversationCopy copy =
          kind != null
              ? copy(conversation, kind)
              : conversation.in(WorkspaceRoot.Kind.WORKSPACE).orElseGet(conversation::newest);
      CopyOverview.Files made = CopyOverview.of(copy).files();
      found.addAll(made.files());
      for (Sha256 hash : made.missing()) {
        missing.add(copy.events() + ": blob " + hash + " is missing");
      }
    }
    if (!zeros) {
      found.forEach(JpShow::demandOneLine);
    }
    String end = zeros ? "\0" : "\n";
    for (Path file : found) {
      terminal.write(Payload.wrap(spelling(file)));
      terminal.write(Payload.utf8(end));
    }
    missing.forEach(line -> terminal.complain(StyledLine.of(line)));
    return missing.isEmpty() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  /// A name with a line end would be read as two, and the second could be any other file's.
  private static void demandOneLine(Path file) {
    if (file.toString().chars().anyMatch(c -> c < ' ')) {
      throw new CommandException(
          ExitCodes.USAGE,
          "jp show --files: a name has a line end or the like: " + file.getFileName(),
          "-z separates names by zeros: git add --pathspec-from-file=- --pathspec-file-nul");
    }
  }

  /// The path as the file system spells it, which need not be UTF-8.
  private static byte[] spelling(Path file) {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return file.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
    }
    String raw = file.toUri().getRawPath();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      boolean escaped = raw.charAt(i) == '%';
      bytes.write(escaped ? HexFormat.fromHexDigits(raw, i + 1, i + 3) : raw.charAt(i));
      i += escaped ? 2 : 0;
    }
    return bytes.toByteArray();
  }

  private static void printJson(
      Conversation conversation, CopyOverview overview, Terminal terminal) {
    new JsonLine()
        .id("conversation", conversation.id())
        .text("title", overview.title())
        .text("presence", conversation.presence())
        .text("root", overview.copy().root().kind().words())
        .text("partition", overview.copy().partition().name().toLowerCase(Locale.ROOT))
        .text("folder", overview.copy().folder().toString())
        .number("events", overview.events())
        .number("turns", overview.turns())
        .number("size_bytes", overview.sizeBytes())
        .number("inline", overview.inline().count())
        .number("inline_bytes", overview.inline().sizeBytes())
        .number("references", overview.referenced().count())
        .number("referenced_bytes", overview.referenced().sizeBytes())
        .number("problem_count", overview.problems().size())
        .print(terminal);
  }
}
