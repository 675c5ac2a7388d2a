// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.StoreException;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.EntryTable;
import dev.varve.pi.session.SessionTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/// The session that another was forked from, where it is at hand: it knows the parents of entries
/// that the fork lost.
final class ForkedFrom {

  private final EntryTable entries;

  private ForkedFrom(EntryTable entries) {
    this.entries = entries;
  }

  /// The session from which a fork was made: the file that the header names, or else a file of that
  /// name beside the fork.
  static Optional<ForkedFrom> find(Path fork, String parentSession) {
    try {
      Path said = Path.of(parentSession);
      Path name = said.getFileName();
      for (Path candidate :
          name == null ? new Path[0] : new Path[] {said, fork.resolveSibling(name)}) {
        if (Files.isRegularFile(candidate) && !Files.isSameFile(candidate, fork)) {
          return Optional.of(new ForkedFrom(SessionTree.read(candidate, _ -> {}).entries()));
        }
      }
    } catch (InvalidPathException | IOException | StoreException.Io e) {
      // then it is not at hand
    }
    return Optional.empty();
  }

  /// The nearest entry above `missing` that the fork has; empty if this session does not know
  /// `missing` either, -1 if the fork has none of its ancestors.
  OptionalInt nearestAncestor(EntryId missing, EntryTable fork) {
    int at = entries.find(missing);
    if (at < 0) {
      return OptionalInt.empty();
    }
    while (at >= 0) {
      EntryId id = entries.id(at);
      int found = id == null ? -1 : fork.find(id);
      if (found >= 0) {
        return OptionalInt.of(found);
      }
      at = entries.parent(at);
    }
    return OptionalInt.of(-1);
  }
}
