// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.ledger.Mark.Binding;
import dev.varve.pi.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Writes the `data` of a mark, as the reference reads it: snapshots once, the rest by their
/// numbers. `by` tells ours from its own; it passes that over.
final class MarkWriter {

  private MarkWriter() {}

  static String json(Mark mark) {
    return new String(Json.write(out -> write(mark, out)), UTF_8);
  }

  private static void write(Mark mark, JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty("v", 2);
    switch (mark) {
      case Mark.Turn turn -> listed(turn.bindings(), List.copyOf(turn.snapshots()), out);
      case Mark.Op op -> {
        List<String> snapshots = List.copyOf(op.snapshots());
        listed(op.bindings(), snapshots, out);
        numbered("current", op.current(), snapshots, out);
        numbered("undo", op.undo(), snapshots, out);
      }
      case Mark.ForkPending pending -> {
        out.writeStringProperty("current", pending.current());
        if (pending.undo() != null) {
          out.writeStringProperty("undo", pending.undo());
        }
      }
    }
    out.writeStringProperty("by", "varve");
    out.writeEndObject();
  }

  private static void listed(List<Binding> bindings, List<String> snapshots, JsonGenerator out) {
    out.writeArrayPropertyStart("snapshots");
    snapshots.forEach(out::writeString);
    out.writeEndArray();
    out.writeArrayPropertyStart("bindings");
    for (Binding binding : bindings) {
      out.writeStartArray();
      out.writeString(binding.entry());
      out.writeNumber(snapshots.indexOf(binding.snapshot()));
      out.writeEndArray();
    }
    out.writeEndArray();
  }

  private static void numbered(
      String name, @Nullable String snapshot, List<String> snapshots, JsonGenerator out) {
    if (snapshot != null) {
      out.writeNumberProperty(name, snapshots.indexOf(snapshot));
    }
  }
}
