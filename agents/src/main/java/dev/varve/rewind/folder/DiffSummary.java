// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.util.ArrayList;
import java.util.List;

/// The number of changed lines in each file, as `git diff --stat` prints it.
final class DiffSummary {

  private static final int GRAPH_COLUMNS = 40;

  private final List<String> names = new ArrayList<>();
  private final List<String> descriptions = new ArrayList<>();
  private final List<int[]> counts = new ArrayList<>();
  private int files;
  private long added;
  private long removed;

  void text(RepoPath path, int plus, int minus) {
    files++;
    added += plus;
    removed += minus;
    add(QuotedPath.text("", path), "", plus, minus);
  }

  void binary(RepoPath path, long before, long after) {
    files++;
    add(QuotedPath.text("", path), "Bin " + before + " -> " + after + " bytes", 0, 0);
  }

  /// Adds a folder, for which git has no form.
  void folder(TreeChange change) {
    String what =
        change.newMode() == 0 ? "folder deleted" : change.oldMode() == 0 ? "folder made" : "folder";
    add(QuotedPath.text("", change.path()) + "/", what, 0, 0);
  }

  private void add(String name, String what, int plus, int minus) {
    names.add(name);
    descriptions.add(what);
    counts.add(new int[] {plus, minus});
  }

  String text() {
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    int most = counts.stream().mapToInt(pair -> pair[0] + pair[1]).max().orElse(0);
    int digits = Integer.toString(most).length();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      int plus = counts.get(i)[0];
      int minus = counts.get(i)[1];
      String what =
          descriptions.get(i).isEmpty()
              ? String.format("%" + digits + "d %s", plus + minus, graph(plus, minus, most))
              : descriptions.get(i);
      text.append(
          String.format(" %-" + Math.max(width, 1) + "s | %s", names.get(i), what).stripTrailing());
      text.append('\n');
    }
    if (files > 0) {
      text.append(' ').append(files).append(files == 1 ? " file changed" : " files changed");
      if (added > 0 || removed == 0) {
        text.append(", ").append(added).append(added == 1 ? " insertion(+)" : " insertions(+)");
      }
      if (removed > 0 || added == 0) {
        text.append(", ").append(removed).append(removed == 1 ? " deletion(-)" : " deletions(-)");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String graph(int plus, int minus, int most) {
    if (most <= GRAPH_COLUMNS) {
      return "+".repeat(plus) + "-".repeat(minus);
    }
    return "+".repeat(scaled(plus, most)) + "-".repeat(scaled(minus, most));
  }

  private static int scaled(int count, int most) {
    return count == 0 ? 0 : 1 + (int) ((long) count * (GRAPH_COLUMNS - 2) / most);
  }
}
