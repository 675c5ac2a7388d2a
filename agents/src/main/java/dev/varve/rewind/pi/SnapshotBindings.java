// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.pi.session.EntryKind;
import dev.varve.rewind.pi.SessionMark.Binding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The bindings of one session, read from its marks: the snapshots of the files at entries.
///
/// An entry is bound once; a later mark does not bind it again, so that a provider's second try
/// does not move a point into the middle of a turn.
///
/// Marks of the reference's 1.8 name a wrong user's message from the second prompt on: the one of
/// the prompt before. On the way from such a mark up to the mark before it, the first user's
/// message is the one that its snapshot belongs to, and gets it here.
public final class SnapshotBindings {

  private final SessionLog log;
  private final Map<String, String> snapshots = new LinkedHashMap<>();
  private int read;

  public SnapshotBindings(SessionLog log) {
    this.log = log;
    follow();
  }

  /// Reads the marks that came since.
  public void follow() {
    List<SessionEntry> entries = log.entries();
    for (; read < entries.size(); read++) {
      SessionEntry entry = entries.get(read);
      switch (entry.mark()) {
        case SessionMark.Turn turn when !turn.ours() -> repaired(entry, turn).forEach(this::bind);
        case SessionMark.Turn turn -> turn.bindings().forEach(this::bind);
        case SessionMark.Op op -> op.bindings().forEach(this::bind);
        case SessionMark.ForkPending _ -> {}
        case null -> {}
      }
    }
  }

  /// A mark that is about to be written.
  void add(SessionMark mark) {
    mark.ties().forEach(this::bind);
  }

  private void bind(Binding binding) {
    snapshots.putIfAbsent(binding.entry(), binding.snapshot());
  }

  private List<Binding> repaired(SessionEntry at, SessionMark.Turn turn) {
    String first = firstUserSince(at);
    return turn.bindings().stream()
        .filter(binding -> !isUser(binding.entry()) || first != null)
        .map(
            binding ->
                isUser(binding.entry()) && first != null
                    ? new Binding(first, binding.snapshot())
                    : binding)
        .toList();
  }

  private boolean isUser(String id) {
    SessionEntry entry = log.find(id);
    return entry == null || entry.kind() == EntryKind.USER;
  }

  private @Nullable String firstUserSince(SessionEntry mark) {
    @Nullable String first = null;
    for (SessionEntry entry : log.up(mark.parent())) {
      if (entry.mark() instanceof SessionMark.Turn || entry.mark() instanceof SessionMark.Op) {
        break;
      }
      if (entry.kind() == EntryKind.USER) {
        first = entry.id();
      }
    }
    return first;
  }

  /// Entries and their snapshots, in the order in which they were bound.
  public Map<String, String> all() {
    return Collections.unmodifiableMap(snapshots);
  }

  /// The snapshot of an entry; null if it has none.
  public @Nullable String at(String entry) {
    return snapshots.get(entry);
  }

  /// The snapshots that entries are bound to, each once.
  public Set<String> distinct() {
    return new LinkedHashSet<>(snapshots.values());
  }

  /// The state of the files on a branch.
  ///
  /// @param current the snapshot of the files; null if it is not known
  /// @param undo the snapshot before the last restore; null if there was no restore
  public record Standing(@Nullable String current, @Nullable String undo) {}

  /// @param leaf where the branch ends
  public Standing standing(@Nullable String leaf) {
    @Nullable String current = null;
    for (SessionEntry entry : log.up(leaf)) {
      if (entry.mark() instanceof SessionMark.Op op) {
        return new Standing(current != null ? current : op.current(), op.undo());
      }
      if (current == null
          && entry.mark() instanceof SessionMark.Turn turn
          && !turn.bindings().isEmpty()) {
        current = turn.bindings().getLast().snapshot();
      } else if (current == null) {
        current = snapshots.get(entry.id());
      }
    }
    return new Standing(current, null);
  }
}
