// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import dev.varve.jp.files.FileState;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/// A conversation's folder in one root. A projected conversation has two copies, one in each.
public record ConversationCopy(
    ConversationId id, WorkspaceRoot root, Partition partition, Path folder) {

  /// The part of `conversations/` in which the folder lies.
  public enum Partition {
    LIVE,
    ARCHIVED,
    TRASHED
  }

  public Path events() {
    return folder.resolve("events.json");
  }

  public Path metadata() {
    return folder.resolve("metadata.json");
  }

  public Path baseConfig() {
    return folder.resolve("base_config.json");
  }

  public String name() {
    return String.valueOf(folder.getFileName());
  }

  /// The time at which the stream was last written: the later time of `events.json` and
  /// `base_config.json`. JP reads the newer copy.
  public Optional<FileTime> streamTime() {
    Optional<FileTime> events = FileState.of(events()).map(FileState::modified);
    Optional<FileTime> config = FileState.of(baseConfig()).map(FileState::modified);
    if (events.isPresent() && config.isPresent()) {
      return events.get().compareTo(config.get()) >= 0 ? events : config;
    }
    return events.isPresent() ? events : config;
  }
}
