// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A unit with which a supervisor of the system archives agents' histories, and the commands that
/// start it.
///
/// @param kind `systemd`, `launchd` or `cron`
/// @param file where the supervisor looks for the unit; null if it is a line that the user adds
/// @param start commands for a person
record WatchUnit(String kind, @Nullable Path file, String content, List<String> start) {

  WatchUnit {
    start = List.copyOf(start);
  }
}
