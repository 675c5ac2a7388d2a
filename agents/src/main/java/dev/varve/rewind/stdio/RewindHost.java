// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import dev.varve.rewind.Rewind;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The surroundings in which requests are answered: the folder they are about, the place of its
/// snapshots, and Pi's folder.
public interface RewindHost {

  /// The folder that the process was started for, absolute.
  Path folder();

  /// True if the folder is in a repository of git.
  boolean isInRepository();

  /// True if snapshots are kept as file trees in the store, even where there is git.
  boolean keepsTrees();

  /// The worktree, with the limit for large files that the host was given.
  ///
  /// @throws StoreException.NotFound if there is no worktree
  Rewind open();

  /// The worktree with another limit.
  ///
  /// @param fileBytesMax larger files are not captured
  Rewind open(long fileBytesMax);

  /// The folder as a worktree whose snapshots are kept in the store.
  ///
  /// @param fileBytesMax larger files are not captured; null for the limit of the host
  Rewind openTrees(@Nullable Long fileBytesMax);

  /// The folder for the snapshots of a worktree that are kept outside of its repository.
  Path outsideFolder(Path root);

  /// Pi's own folder.
  ///
  /// @param named the folder that a request names; empty for the usual one
  Path agentFolder(String named);

  /// All sessions of Pi.
  ///
  /// @param named as in [#agentFolder]
  SourceFolder sessions(String named);

  InstantSource clock();
}
