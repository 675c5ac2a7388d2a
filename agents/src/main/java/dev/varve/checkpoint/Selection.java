// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.RepoPath;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which paths a restore is limited to.
public sealed interface Selection {

  /// All of them.
  record Everything() implements Selection {}

  /// These files, and what is in these folders.
  record Below(List<RepoPath> roots) implements Selection {
    public Below {
      roots = List.copyOf(roots);
    }
  }

  /// Exactly these.
  record Exactly(Set<RepoPath> paths) implements Selection {
    public Exactly {
      paths = Set.copyOf(paths);
    }
  }

  static Selection exactly(Collection<RepoPath> paths) {
    return new Exactly(new HashSet<>(paths));
  }

  /// These, and the folders that they are in, which may have been left empty.
  static Selection withFolders(Collection<RepoPath> paths) {
    Set<RepoPath> all = new HashSet<>(paths);
    for (RepoPath path : paths) {
      for (Optional<RepoPath> step = path.parent();
          step.isPresent() && all.add(step.get());
          step = step.get().parent()) {}
    }
    return new Exactly(all);
  }

  default boolean has(RepoPath path) {
    return switch (this) {
      case Everything _ -> true;
      case Below below -> below.roots.stream().anyMatch(path::isIn);
      case Exactly exactly -> exactly.paths.contains(path);
    };
  }
}
