// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.jp.Overview;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Copy;
import dev.varve.jp.place.Root;
import dev.varve.jp.place.Workspace;
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
      "Lists conversations, or the files that one is made of. Opens no blob.",
      "",
      "With --files: absolute paths, one a line, each once: what to stage for version control. Of a"
          + " conversation that is in the workspace, the files there; else the user's own."
    },
    footer = {
      "  varve jp show",
      "  git add $$(varve jp show --files jp-c17800000001)",
      "  varve jp show --files -z jp-c17800000001 | xargs -0 git add --"
    })
final class JpShow implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpTarget target = new JpTarget();
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
      description = "Which copy: workspace or user-local.")
  private @Nullable String rootName;

  JpShow(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Root.Kind kind = kind();
    Workspace workspace = target.workspace(terminal);
    List<Conversation> conversations = target.conversations(workspace, terminal);
    if (files) {
      return printFiles(conversations, kind, terminal);
    }
    Table table =
        new Table("conversation", ">events", ">turns", ">payloads", ">in blobs", "where", "title");
    boolean whole = true;
    for (Conversation conversation : conversations) {
      Copy copy = kind == null ? conversation.newest() : copy(conversation, kind);
      try {
        Overview overview = Overview.of(copy);
        if (output.json()) {
          printJson(conversation, overview, terminal);
        } else {
          table.row(
              conversation.id().toString(),
              Words.number(overview.events()),
              Words.number(overview.turns()),
              Words.number(overview.inline() + overview.references()),
              Words.number(overview.references()),
              conversation.presence() + archived(copy),
              overview.title());
        }
      } catch (StoreException e) {
        whole = false;
        terminal.complain(Line.of(String.valueOf(e.getMessage())));
      }
    }
    if (!output.json()) {
      table.print(terminal);
    }
    return whole ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  private static String archived(Copy copy) {
    return copy.partition() == Copy.Partition.ARCHIVED ? ", archived" : "";
  }

  private Root.@Nullable Kind kind() {
    if (rootName == null) {
      return null;
    }
    for (Root.Kind kind : Root.Kind.values()) {
      if (kind.words().equals(rootName)) {
        return kind;
      }
    }
    throw new Refusal(
        ExitCodes.USAGE,
        "--root: expected workspace or user-local, found '" + rootName + "'",
        null);
  }

  private static Copy copy(Conversation conversation, Root.Kind kind) {
    return conversation
        .in(kind)
        .orElseThrow(
            () ->
                new StoreException.NotFound(
                    "conversation in the " + kind.words() + " root", conversation.id().toString()));
  }

  private int printFiles(
      List<Conversation> conversations, Root.@Nullable Kind kind, Terminal terminal) {
    if (!target.isNamed()) {
      throw new Refusal(
          ExitCodes.USAGE,
          "jp show --files: of which conversation?",
          "'varve jp show' lists them.");
    }
    List<String> missing = new ArrayList<>();
    Set<Path> found = new LinkedHashSet<>();
    for (Conversation conversation : conversations) {
      Copy copy =
          kind != null
              ? copy(conversation, kind)
              : conversation.in(Root.Kind.WORKSPACE).orElseGet(conversation::newest);
      Overview.Files made = Overview.of(copy).files();
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
    missing.forEach(line -> terminal.complain(Line.of(line)));
    return missing.isEmpty() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  /// A name with a line end would be read as two, and the second could be any other file's.
  private static void demandOneLine(Path file) {
    if (file.toString().chars().anyMatch(c -> c < ' ')) {
      throw new Refusal(
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

  private static void printJson(Conversation conversation, Overview overview, Terminal terminal) {
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
        .number("inline", overview.inline())
        .number("inline_bytes", overview.inlineBytes())
        .number("references", overview.references())
        .number("referenced_bytes", overview.referencedBytes())
        .number("problem_count", overview.problems().size())
        .print(terminal);
  }
}
