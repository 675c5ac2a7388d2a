// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The paths that a restore is limited to.
public sealed interface PathSelection {

  /// All paths.
  record Everything() implements PathSelection {}

  /// These files, and all files in these folders.
  record Below(List<RepoPath> roots) implements PathSelection {
    public Below {
      roots = List.copyOf(roots);
    }
  }

  /// Exactly these paths.
  record Exactly(Set<RepoPath> paths) implements PathSelection {
    public Exactly {
      paths = Set.copyOf(paths);
    }
  }

  static PathSelection exactly(Collection<RepoPath> paths) {
    return new Exactly(new HashSet<>(paths));
  }

  /// These paths, and the folders around them, which may have been left empty.
  static PathSelection withFolders(Collection<RepoPath> paths) {
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
