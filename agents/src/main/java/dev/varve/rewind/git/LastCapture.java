// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.files.WholeFile;
import dev.varve.rewind.SmallFile;
import dev.varve.rewind.SnapshotMessage;
import dev.varve.rewind.SnapshotMetadata;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// The record that a capture leaves for the next one: a few lines in the shadow's folder. If it is
/// lost, one capture reads every file.
///
/// @param rules the [UserGitRules#signature] when the snapshot was taken
/// @param index the index file's [SmallFile#signature] at the end of the capture
record LastCapture(
    String commit, String tree, Instant startedAt, String rules, String index, String message) {

  static final String FILE = "last";
  private static final int LINES = 5;

  static Optional<LastCapture> read(Path folder) {
    return SmallFile.read(folder.resolve(FILE)).flatMap(LastCapture::parse);
  }

  private static Optional<LastCapture> parse(String text) {
    String[] lines = text.split("\n", LINES + 1);
    if (lines.length <= LINES || !lines[0].matches("[0-9a-f]{40,64}")) {
      return Optional.empty();
    }
    try {
      Instant startedAt = Instant.ofEpochMilli(Long.parseLong(lines[2]));
      SnapshotMessage.parse(lines[LINES]);
      return Optional.of(
          new LastCapture(lines[0], lines[1], startedAt, lines[3], lines[4], lines[LINES]));
    } catch (NumberFormatException | StoreException.Invalid e) {
      return Optional.empty();
    }
  }

  SnapshotMetadata metadata() {
    return SnapshotMessage.parse(message).orElseThrow();
  }

  void write(Path folder) {
    WholeFile.at(folder.resolve(FILE))
        .replaceSoon(
            String.join(
                "\n",
                commit,
                tree,
                Long.toString(startedAt.toEpochMilli()),
                rules,
                index,
                message));
  }
}
