// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.imports.StrictJson;
import dev.varve.rewind.pi.SessionMark.Binding;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Writes the `data` of a mark, as the reference reads it: snapshots once, the rest by their
/// numbers. `by` marks the marks that Varve wrote; the reference ignores `by`.
final class MarkWriter {

  private MarkWriter() {}

  static String json(SessionMark mark) {
    return new String(StrictJson.write(out -> write(mark, out)), UTF_8);
  }

  private static void write(SessionMark mark, JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty("v", 2);
    switch (mark) {
      case SessionMark.Turn turn -> listed(turn.bindings(), List.copyOf(turn.snapshots()), out);
      case SessionMark.Op op -> {
        List<String> snapshots = List.copyOf(op.snapshots());
        listed(op.bindings(), snapshots, out);
        numbered("current", op.current(), snapshots, out);
        numbered("undo", op.undo(), snapshots, out);
      }
      case SessionMark.ForkPending pending -> {
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
