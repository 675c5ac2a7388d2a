// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import dev.varve.history.HistoryProfile;
import java.nio.file.Path;

/// A folder in which one agent keeps its sessions.
///
/// @param profile of the agent
/// @param home need not exist
public record WatchedHome(HistoryProfile profile, Path home) {}
