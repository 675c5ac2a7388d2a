// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/// A store in a folder, and the search in it.
final class FoundStore implements AutoCloseable {

  static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  private static final DeclaredType LINE = new DeclaredType("claude-code.line", 1);

  final Path folder;
  final LocalStore store;
  StoreSearch search;

  FoundStore(Path folder) {
    this.folder = folder;
    this.store = LocalStore.open(folder, StoreOptions.DEFAULTS);
    this.search = StoreSearch.open(folder, store);
  }

  ContextId context(String about) {
    return store.createContext(TurnId.NONE, store.put(Payload.utf8(about))).id();
  }

  TurnId say(ContextId context, String role, String text) {
    return line(
        context,
        "{\"type\":\"%s\",\"message\":{\"role\":\"%s\",\"content\":%s}}"
            .formatted(role, role, quote(text)));
  }

  TurnId line(ContextId context, String json) {
    return append(context, json, NOW);
  }

  TurnId append(ContextId context, String payload, Instant at) {
    NewTurn turn = NewTurn.of(Payload.utf8(payload), LINE, Encoding.JSON).withCreatedAt(at);
    return store.append(context, turn).id();
  }

  /// A call of a shell and its result, as Claude Code writes them.
  TurnId run(ContextId context, String id, String command, String output, boolean failed) {
    TurnId call =
        line(
            context,
            ("{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":"
                    + "[{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"Bash\",\"input\":"
                    + "{\"command\":%s}}]}}")
                .formatted(id, quote(command)));
    line(
        context,
        ("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":"
                + "\"tool_result\",\"tool_use_id\":\"%s\",\"content\":%s,\"is_error\":%s}]}}")
            .formatted(id, quote(output), failed));
    return call;
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < 0x20 || Character.isSurrogate(c)) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  SearchPage.Coverage follow() {
    return search.follow(FollowLimit.within(Duration.ofMinutes(5), FollowLimit.Progress.NONE));
  }

  SearchPage find(String query) {
    follow();
    return search.search(SearchRequest.of(query, 50, NOW, ZoneOffset.UTC));
  }

  /// The turns that a query finds, in the order of the answer.
  List<TurnId> turns(String query) {
    return find(query).hits().stream().map(hit -> hit.place().turn()).toList();
  }

  void reopenSearch() {
    search.close();
    search = StoreSearch.open(folder, store);
  }

  @Override
  public void close() {
    search.close();
    store.close();
  }
}
