// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Snapshot;

/// Snapshots for people.
final class SnapshotText {

  private static final int SHORT = 12;
  private static final int LEFT_OUT_SHOWN = 10;

  private SnapshotText() {}

  static String name(Snapshot snapshot) {
    return snapshot.commit().substring(0, SHORT);
  }

  /// Names the repositories inside that a restore leaves as they are.
  static void sayRepositories(RestorePlan plan, Terminal terminal) {
    plan.repositories()
        .forEach(each -> terminal.say("repository " + each.path() + " " + each.words()));
  }

  /// Names the files that were present and are not in the snapshot, so that nobody relies on them.
  static void sayLeftOut(Snapshot snapshot, Terminal terminal) {
    snapshot
        .metadata()
        .ifPresent(
            metadata -> {
              metadata.leftOut().entrySet().stream()
                  .limit(LEFT_OUT_SHOWN)
                  .forEach(
                      entry ->
                          terminal.say(
                              "not captured: "
                                  + entry.getKey()
                                  + " ("
                                  + entry.getValue().words()
                                  + ")"));
              int more = metadata.leftOut().size() - LEFT_OUT_SHOWN;
              if (more > 0) {
                terminal.say("not captured: " + HumanText.count(more, "more path"));
              }
            });
  }
}
