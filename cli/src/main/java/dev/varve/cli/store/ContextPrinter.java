// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;

/// A context as it is printed, the same for each command.
final class ContextPrinter {

  private ContextPrinter() {}

  static JsonLine json(ContextHead context) {
    return new JsonLine()
        .id("context_id", context.id())
        .id("head_turn_id", context.head())
        .number("head_depth", context.headDepth())
        .id("base_turn_id", context.base())
        .time("created_at", context.createdAt())
        .time("last_active_at", context.activeAt())
        .hash("about_hash", context.about());
  }

  /// A context just made: its number alone, so that a script can take it.
  static void printNew(ContextHead context, JsonOption output, Terminal terminal) {
    if (output.json()) {
      json(context).print(terminal);
    } else {
      terminal.println(context.id().toString());
    }
  }
}
