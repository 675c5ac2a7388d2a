// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The files below a folder that were not imported, each with the reason.
final class RefusedFiles {

  /// The most refused files that are listed.
  private static final int LISTED_MAX = 50;

  private final Path folder;
  private final Map<Path, String> reasons = new TreeMap<>();

  RefusedFiles(Path folder) {
    this.folder = folder;
  }

  void add(Path file, String why) {
    reasons.put(file, why);
  }

  void removeIf(Predicate<Path> belongs) {
    reasons.keySet().removeIf(belongs);
  }

  /// Lists the files, in the order of their paths.
  void list(Terminal terminal) {
    reasons.entrySet().stream()
        .limit(LISTED_MAX)
        .forEach(
            entry ->
                terminal.say(
                    "not imported: "
                        + folder.relativize(entry.getKey())
                        + ": "
                        + entry.getValue()));
    if (reasons.size() > LISTED_MAX) {
      terminal.say(
          "not imported: " + HumanText.count(reasons.size() - LISTED_MAX, "more file") + ".");
    }
  }
}
