// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.codex;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The name of a rollout.
///
/// @param key the id of the segment, else that of the thread
/// @param packed whether the rollout is compressed
/// @param archived whether it lies among the archived ones
record RolloutName(Path file, String key, boolean packed, boolean archived) {

  private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  private static final Pattern NAME =
      Pattern.compile("rollout-[0-9T-]{10,40}-(" + UUID + ")(?:_(" + UUID + "))?\\.jsonl(\\.zst)?");

  /// Empty if the file is named otherwise.
  static Optional<RolloutName> of(Path file) {
    Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
    if (!name.matches()) {
      return Optional.empty();
    }
    String key = name.group(2) == null ? name.group(1) : name.group(2);
    Path folder = file.getParent();
    boolean archived =
        folder != null && String.valueOf(folder.getFileName()).equals("archived_sessions");
    return Optional.of(new RolloutName(file, key, name.group(3) != null, archived));
  }
}
