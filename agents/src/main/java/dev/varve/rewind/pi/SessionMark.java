// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// A hidden entry of a session that ties entries to snapshots: `custom` entries of three types, in
/// version 2 of the form that Pi's rewind extension writes. [MarkReader] and [MarkWriter] know how
/// they look.
public sealed interface SessionMark {

  /// The entry's `customType`.
  String type();

  /// A binding: the files were as in `snapshot` at `entry`, before a user's message, after any
  /// other entry.
  record Binding(String entry, String snapshot) {}

  /// Written when turns end.
  ///
  /// @param ours whether Varve wrote it. Another tool's may name a wrong user's message, see
  ///   [SnapshotBindings]
  record Turn(List<Binding> bindings, boolean ours) implements SessionMark {
    public Turn {
      bindings = List.copyOf(bindings);
    }

    @Override
    public String type() {
      return "rewind-turn";
    }
  }

  /// Written when files or the place in the session changed.
  ///
  /// @param current the files as they are now; null if it does not say
  /// @param undo the files as they were before the last restore; null if there was none
  record Op(List<Binding> bindings, @Nullable String current, @Nullable String undo, boolean ours)
      implements SessionMark {
    public Op {
      bindings = List.copyOf(bindings);
    }

    @Override
    public String type() {
      return "rewind-op";
    }
  }

  /// Written before a fork, for the session that comes of it.
  record ForkPending(String current, @Nullable String undo) implements SessionMark {
    @Override
    public String type() {
      return "rewind-fork-pending";
    }
  }

  /// The bindings that the mark makes.
  default List<Binding> ties() {
    return switch (this) {
      case Turn turn -> turn.bindings();
      case Op op -> op.bindings();
      case ForkPending _ -> List.of();
    };
  }

  /// Every snapshot that the mark names, each once.
  default SequencedSet<String> snapshots() {
    List<@Nullable String> named = new ArrayList<>();
    ties().forEach(binding -> named.add(binding.snapshot()));
    switch (this) {
      case Turn _ -> {}
      case Op op -> {
        named.add(op.current());
        named.add(op.undo());
      }
      case ForkPending pending -> {
        named.add(pending.current());
        named.add(pending.undo());
      }
    }
    SequencedSet<String> each = new LinkedHashSet<>();
    for (String snapshot : named) {
      if (snapshot != null) {
        each.add(snapshot);
      }
    }
    return each;
  }
}
