// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.PlannedPath.Action;
import dev.varve.rewind.RepositoryDifference;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.RestoreSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A forecast of a restore, in numbers and a sentence.
///
/// @param edited the number of paths that were edited since the last snapshot
/// @param kept the number of paths that differ and stay as they are
/// @param preview a sentence that names paths
/// @param confirm a question to be asked before the restore; null if none is needed
public record RestoreForecast(
    long create,
    long change,
    long permit,
    long delete,
    long edited,
    long kept,
    String preview,
    @Nullable String confirm) {

  /// The number of deleted files from which the user is asked again.
  private static final int DELETED_ASK = 100;

  private static final int NAMED = 5;

  /// @param size counts the lines, which is done only if the user is asked
  static RestoreForecast of(RestorePlan plan, Supplier<RestoreSize> size) {
    long deleted = plan.count(Action.DELETE);
    long edited = changedByHand(plan).count();
    return new RestoreForecast(
        plan.count(Action.CREATE),
        plan.count(Action.CHANGE),
        plan.count(Action.PERMIT),
        deleted,
        edited,
        plan.count(Action.KEEP),
        preview(plan, edited),
        confirm(plan, deleted, edited, size));
  }

  /// The question before a restore. Edits of which there is no other copy are not overwritten
  /// unasked, although an undo brings them back.
  private static @Nullable String confirm(
      RestorePlan plan, long deleted, long edited, Supplier<RestoreSize> size) {
    if (deleted < DELETED_ASK && edited == 0) {
      return null;
    }
    String what = size.get().words() + " ";
    if (edited > 0) {
      what += "Edited since the last snapshot: " + names(changedByHand(plan)) + ". ";
    }
    return what + "A snapshot is taken before; undo brings them back.";
  }

  private static Stream<PlannedPath> changedByHand(RestorePlan plan) {
    return plan.paths().stream().filter(p -> p.editedSince() && p.action() != Action.KEEP);
  }

  private static String preview(RestorePlan plan, long edited) {
    List<String> parts = new ArrayList<>();
    part(parts, plan, Action.CREATE, "come back");
    part(parts, plan, Action.CHANGE, "change");
    part(parts, plan, Action.PERMIT, "get other permissions");
    part(parts, plan, Action.DELETE, "are deleted");
    if (parts.isEmpty()) {
      parts.add("No file changes");
    }
    String sentence = String.join("; ", parts) + ".";
    if (edited > 0) {
      sentence += " Edited since the last snapshot: " + names(changedByHand(plan)) + ".";
    }
    if (plan.count(Action.KEEP) > 0) {
      sentence +=
          " Kept as they are: "
              + names(plan.paths().stream().filter(path -> path.action() == Action.KEEP))
              + ".";
    }
    for (RepositoryDifference each : plan.repositories()) {
      sentence += " Repository " + each.path() + " " + each.words() + ".";
    }
    return sentence;
  }

  private static void part(List<String> parts, RestorePlan plan, Action action, String words) {
    if (plan.count(action) > 0) {
      parts.add(words + ": " + names(plan.paths().stream().filter(p -> p.action() == action)));
      parts.set(parts.size() - 1, capital(parts.getLast(), parts.size() == 1));
    }
  }

  private static String capital(String words, boolean first) {
    return first ? words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) : words;
  }

  private static String names(Stream<PlannedPath> paths) {
    List<String> all = paths.map(path -> path.path().toString()).toList();
    int more = all.size() - NAMED;
    return String.join(", ", all.subList(0, Math.min(NAMED, all.size())))
        + (more > 0 ? String.format(Locale.ROOT, " and %,d more", more) : "");
  }
}
