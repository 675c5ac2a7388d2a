// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.git.GitRewind;
import dev.varve.rewind.pi.LiveSession;
import dev.varve.rewind.pi.RewindSettings;
import dev.varve.rewind.pi.SessionNavigation;
import dev.varve.rewind.pi.SessionStart;
import dev.varve.rewind.pi.SettingsReader;
import dev.varve.rewind.pi.SweepSchedule;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Opens the session that a request `session` describes, by the settings that hold for it.
final class SessionOpening {

  private final RewindHost host;
  private final RewindRequest request;
  private final RewindSettings settings;

  SessionOpening(RewindHost host, RewindRequest request) {
    this.host = host;
    this.request = request;
    this.settings = settings(host, request);
  }

  /// The settings of the request, or those of Pi and of the project.
  RewindSettings settings() {
    return settings;
  }

  private static RewindSettings settings(RewindHost host, RewindRequest request) {
    RewindSettings given = request.settings();
    return given != null
        ? given
        : SettingsReader.of(
            host.agentFolder(request.text("agent_dir", "")),
            request.isFalse("trusted") ? null : host.folder());
  }

  /// Moves the snapshots out of the repository if the settings ask for it.
  ///
  /// @return whether the snapshots were moved: the worktree must be opened again
  boolean movesOutside(Rewind started) {
    return settings.outside()
        && !settings.trees()
        && host.isInRepository()
        && !host.keepsTrees()
        && GitRewind.keepOutside(started.root(), host.outsideFolder(started.root()));
  }

  /// The worktree of the session.
  ///
  /// @param started the worktree that the process was started for; null if there was none
  /// @param missing the reason why there was none
  Rewind worktree(@Nullable Rewind started, @Nullable StoreException missing) {
    Long fileBytesMax = settings.fileBytesMax();
    if (settings.trees()) {
      return host.openTrees(fileBytesMax);
    }
    if (started == null) {
      throw Objects.requireNonNull(missing, "neither worktree nor reason");
    }
    return fileBytesMax == null ? started : host.open(fileBytesMax).withFileCache();
  }

  /// @throws StoreException.Io if the session's file cannot be read
  OpenSession open(Rewind rewind) {
    LiveSession live = LiveSession.open(rewind, start());
    return new OpenSession(rewind, live, new SessionNavigation(live), sweeps(rewind, live));
  }

  private @Nullable SweepSchedule sweeps(Rewind rewind, LiveSession live) {
    RewindSettings.Retention rules = settings.retention();
    return rules == null
        ? null
        : new SweepSchedule(rewind, live, rules, () -> sessions(live), host.clock());
  }

  /// The sessions of Pi's folder, and those beside this session.
  private SourceFolder sessions(LiveSession live) {
    SourceFolder all = host.sessions(request.text("agent_dir", ""));
    Path self = live.file();
    Path folder = self == null ? null : self.toAbsolutePath().getParent();
    return folder != null && Files.isDirectory(folder)
        ? all.and(SourceFolder.list(folder, SourceFolder.JSON_LINES))
        : all;
  }

  private SessionStart start() {
    String file = request.text("session_file", "");
    String parent = request.text("parent_file", "");
    String previous = request.text("previous_file", "");
    try {
      return new SessionStart(
          file.isEmpty() ? null : Path.of(file),
          request.demandText("session_id"),
          parent.isEmpty() ? null : parent,
          previous.isEmpty() ? null : previous,
          request.text("reason", "startup"),
          request.entries());
    } catch (InvalidPathException e) {
      throw new StoreException.Invalid("session", "session_file: " + e.getMessage());
    }
  }
}
