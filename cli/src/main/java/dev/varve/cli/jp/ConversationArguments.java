// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandInput;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.ConversationId;
import dev.varve.jp.place.Workspace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// Which workspace and which of its conversations a `varve jp` command is about.
final class ConversationArguments {

  @Mixin private final WorkspaceOption place = new WorkspaceOption();

  @Parameters(
      arity = "0..*",
      paramLabel = "ID",
      description = "Conversations, like jp-c17800000001; '-' reads them. None: all.")
  private List<String> ids = List.of();

  /// The workspace that was named, or around the current folder.
  Workspace workspace(Terminal terminal) {
    return place.find(terminal);
  }

  /// Returns whether conversations were named.
  boolean isNamed() {
    return !ids.isEmpty();
  }

  /// The conversations that were named, or all that are live or archived.
  ///
  /// @throws StoreException.NotFound if one that was named is not there
  List<Conversation> conversations(Workspace workspace, Terminal terminal) {
    List<Conversation> all = workspace.conversations(odd -> terminal.say("left alone: " + odd));
    Set<ConversationId> wanted = wanted(terminal);
    if (!isNamed()) {
      return all;
    }
    List<Conversation> found = new ArrayList<>();
    for (ConversationId id : wanted) {
      found.add(
          all.stream()
              .filter(conversation -> conversation.id().equals(id))
              .findFirst()
              .orElseThrow(() -> new StoreException.NotFound("conversation", id.toString())));
    }
    return found;
  }

  private Set<ConversationId> wanted(Terminal terminal) {
    Set<ConversationId> wanted = new LinkedHashSet<>();
    for (String id : ids) {
      if (id.equals("-")) {
        String text =
            new String(CommandInput.read("-", terminal).unsafeArray(), StandardCharsets.UTF_8);
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .forEach(line -> wanted.add(ConversationId.parse(line)));
      } else {
        wanted.add(ConversationId.parse(id));
      }
    }
    return wanted;
  }
}
