// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.imports.SourceFolder;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.folder.CountedAccess;
import dev.varve.rewind.folder.FolderArchive;
import dev.varve.rewind.git.GitRewind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// A folder that may be a repository, with Pi's folder, the store and external repositories beside
/// each other in `agent`.
record TestHost(Path folder, Path agent) implements RewindHost {

  @Override
  public boolean isInRepository() {
    return Files.exists(folder.resolve(".git"));
  }

  @Override
  public boolean keepsTrees() {
    return false;
  }

  @Override
  public Rewind open() {
    return open(Rewind.FILE_BYTES_MAX_DEFAULT);
  }

  @Override
  public Rewind open(long fileBytesMax) {
    return GitRewind.at(folder, clock(), fileBytesMax);
  }

  @Override
  public Rewind openTrees(@Nullable Long fileBytesMax) {
    long bytesMax = fileBytesMax == null ? Rewind.FILE_BYTES_MAX_DEFAULT : fileBytesMax;
    return Rewind.of(
        FolderArchive.at(folder, new CountedAccess(agent.resolve("store")), clock(), bytesMax),
        clock());
  }

  @Override
  public Path outsideFolder(Path root) {
    return agent.resolve("outside");
  }

  @Override
  public Path agentFolder(String named) {
    return named.isEmpty() ? agent : Path.of(named);
  }

  @Override
  public SourceFolder sessions(String named) {
    return SourceFolder.walk(agentFolder(named), SourceFolder.JSON_LINES);
  }

  @Override
  public InstantSource clock() {
    return InstantSource.system();
  }
}
