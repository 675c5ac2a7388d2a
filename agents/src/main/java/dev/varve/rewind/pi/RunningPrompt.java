// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The known state of a prompt that an agent works on, which the session does not hold yet. The
/// state lies on the disk, so that the end of this process does not lose it, and the sweep of
/// another process does not drop its snapshots.
///
/// @param session the session's id
/// @param leaf the session's last entry when it began; null for a session without entries
/// @param began the files before it; null if they were not captured
/// @param state the files before what the agent says next; null if they are not known
/// @param unsaid snapshots that no mark names yet
record RunningPrompt(
    String session,
    @Nullable String leaf,
    @Nullable String began,
    @Nullable String state,
    Set<String> unsaid) {

  static final String FOLDER = "running";
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
  private static final int UNSAID_MAX = 10_000;

  RunningPrompt {
    unsaid = java.util.Collections.unmodifiableSet(new LinkedHashSet<>(unsaid));
  }

  static RunningPrompt begun(String session, @Nullable String leaf, @Nullable String state) {
    return new RunningPrompt(session, leaf, state, state, state == null ? Set.of() : Set.of(state));
  }

  /// The same prompt, after the files were captured once more.
  RunningPrompt seen(String snapshot) {
    Set<String> all = new LinkedHashSet<>(unsaid);
    all.add(snapshot);
    return new RunningPrompt(session, leaf, began, snapshot, all);
  }

  /// The same prompt, after a capture that came too late to count.
  RunningPrompt unsure() {
    return new RunningPrompt(session, leaf, began, null, unsaid);
  }

  /// The same prompt, after marks named some snapshots.
  RunningPrompt said(Set<String> snapshots) {
    Set<String> left = new LinkedHashSet<>(unsaid);
    left.removeAll(snapshots);
    return new RunningPrompt(session, leaf, began, state, left);
  }

  /// Every snapshot that the prompt needs.
  Set<String> needed() {
    Set<String> all = new LinkedHashSet<>(unsaid);
    for (String each : new String[] {began, state}) {
      if (each != null) {
        all.add(each);
      }
    }
    return all;
  }

  String text() {
    List<String> lines = new ArrayList<>(List.of("running 1", session));
    lines.add(leaf == null ? "" : leaf);
    lines.add(began == null ? "" : began);
    lines.add(state == null ? "" : state);
    lines.addAll(unsaid);
    return String.join("\n", lines) + "\n";
  }

  /// Reads the text of a prompt; empty if it is no such text, or damaged.
  static Optional<RunningPrompt> parse(String text) {
    String[] lines = text.split("\n", UNSAID_MAX);
    if (lines.length < 5 || !lines[0].equals("running 1")) {
      return Optional.empty();
    }
    Set<String> unsaid = new LinkedHashSet<>();
    for (int i = 5; i < lines.length; i++) {
      if (COMMIT.matcher(lines[i]).matches()) {
        unsaid.add(lines[i]);
      }
    }
    return Optional.of(
        new RunningPrompt(
            lines[1],
            lines[2].isEmpty() ? null : lines[2],
            commit(lines[3]),
            commit(lines[4]),
            unsaid));
  }

  private static @Nullable String commit(String line) {
    return COMMIT.matcher(line).matches() ? line : null;
  }
}
