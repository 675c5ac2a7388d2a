// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.pi.session.EntryKind;
import dev.varve.rewind.pi.SessionMark.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The marks of an agent's turns.
///
/// At the end of a turn Pi has written all entries of the turn, so that it is certain which
/// messages of users the turn answers: the messages between the agent's message before and its
/// message now. Steering and queued messages are among them; the files before such a message are
/// the files after the turn before.
final class TurnMarks {

  private final SessionLog log;
  private final SnapshotBindings bindings;

  TurnMarks(SessionLog log, SnapshotBindings bindings) {
    this.log = log;
    this.bindings = bindings;
  }

  /// The mark of a turn that ended.
  ///
  /// @param run the state of the run
  /// @param after the files now; null if they were not captured
  Optional<SessionMark> ended(
      @Nullable String leaf,
      @Nullable String assistant,
      RunningPrompt run,
      @Nullable String after) {
    SessionEntry said = said(leaf, assistant);
    if (said == null) {
      return Optional.empty();
    }
    List<Binding> made = new ArrayList<>();
    made.addAll(users(said.parent(), run));
    if (after != null && bindings.at(said.id()) == null) {
      made.add(new Binding(said.id(), after));
    }
    return made.isEmpty() ? Optional.empty() : Optional.of(new SessionMark.Turn(made, true));
  }

  /// The agent's message of the turn; null if the session does not have it.
  private @Nullable SessionEntry said(@Nullable String leaf, @Nullable String assistant) {
    SessionEntry named = log.find(assistant);
    if (named != null) {
      return named;
    }
    for (SessionEntry entry : log.up(leaf)) {
      if (entry.kind() == EntryKind.ASSISTANT) {
        return entry;
      }
    }
    return null;
  }

  /// Messages of users that no turn answered, at the end of a run that broke off.
  Optional<SessionMark> unanswered(@Nullable String leaf, RunningPrompt run) {
    List<Binding> made = users(leaf, run);
    return made.isEmpty() ? Optional.empty() : Optional.of(new SessionMark.Turn(made, true));
  }

  /// The messages of users on the way up to the agent's message before, or to the beginning of the
  /// run, as far as they are not bound yet.
  private List<Binding> users(@Nullable String from, RunningPrompt run) {
    String before = run.state();
    List<Binding> made = new ArrayList<>();
    if (before == null) {
      return made;
    }
    for (SessionEntry entry : log.up(from)) {
      if (entry.id().equals(run.leaf())) {
        return made.reversed();
      }
      switch (entry.kind()) {
        case ASSISTANT, COMPACTION, BRANCH_SUMMARY -> {
          return made.reversed();
        }
        case USER -> {
          if (bindings.at(entry.id()) != null) {
            return made.reversed();
          }
          made.add(new Binding(entry.id(), before));
        }
        default -> {}
      }
    }
    return made.reversed();
  }

  /// The mark of the prompt of a run whose process ended in the middle: the first message of a user
  /// behind the beginning of the run. The agent's changes after this message were not captured.
  Optional<SessionMark> cutOff(RunningPrompt run) {
    String began = run.began();
    if (began == null) {
      return Optional.empty();
    }
    for (SessionEntry entry : log.entries()) {
      if (entry.kind() == EntryKind.USER
          && bindings.at(entry.id()) == null
          && follows(entry, run.leaf())) {
        return Optional.of(new SessionMark.Turn(List.of(new Binding(entry.id(), began)), true));
      }
    }
    return Optional.empty();
  }

  private boolean follows(SessionEntry user, @Nullable String leaf) {
    for (SessionEntry above : log.up(user.parent())) {
      if (above.id().equals(leaf)) {
        return true;
      }
      if (above.kind() == EntryKind.USER || above.kind() == EntryKind.ASSISTANT) {
        return false;
      }
    }
    return leaf == null;
  }
}
