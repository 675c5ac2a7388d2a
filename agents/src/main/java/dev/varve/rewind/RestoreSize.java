// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.rewind.PlannedPath.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The size of a restore: the numbers of paths and of lines that it changes.
public record RestoreSize(
    long created, long changed, long permitted, long deleted, LineCounts lines) {

  static RestoreSize of(RestorePlan plan, LineCounts lines) {
    return new RestoreSize(
        plan.count(Action.CREATE),
        plan.count(Action.CHANGE),
        plan.count(Action.PERMIT),
        plan.count(Action.DELETE),
        lines);
  }

  /// The numbers in two short sentences.
  public String words() {
    List<String> paths = new ArrayList<>();
    part(paths, created, "brought back");
    part(paths, changed, "changed");
    part(paths, permitted, "given other permissions");
    part(paths, deleted, "deleted");
    return "Paths: "
        + (paths.isEmpty() ? "none" : String.join(", ", paths))
        + String.format(
            Locale.ROOT, ". Lines: %,d added, %,d removed.", lines.added(), lines.removed());
  }

  private static void part(List<String> parts, long count, String words) {
    if (count > 0) {
      parts.add(String.format(Locale.ROOT, "%,d %s", count, words));
    }
  }
}
