// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.pi.PiOptions;
import dev.varve.cli.session.CommandSession;
import dev.varve.imports.SourceFolder;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.stdio.RewindHost;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The surroundings that the options of `varve rewind serve` choose.
record CommandHost(WorktreeOption option, CommandSession command) implements RewindHost {

  @Override
  public Path folder() {
    return option.folder();
  }

  @Override
  public boolean isInRepository() {
    return option.isInRepository();
  }

  @Override
  public boolean keepsTrees() {
    return option.keepsTrees(command.terminal());
  }

  @Override
  public Rewind open() {
    return option.open(command);
  }

  @Override
  public Rewind open(long fileBytesMax) {
    return option.open(command, fileBytesMax);
  }

  @Override
  public Rewind openTrees(@Nullable Long fileBytesMax) {
    return option.openTrees(command, fileBytesMax);
  }

  @Override
  public Path outsideFolder(Path root) {
    return RewindOutside.place(command, root);
  }

  @Override
  public Path agentFolder(String named) {
    return PiOptions.at(named, command.terminal()).agent(command.terminal());
  }

  @Override
  public SourceFolder sessions(String named) {
    return PiOptions.at(named, command.terminal()).folder(command.terminal()).all();
  }

  @Override
  public InstantSource clock() {
    return command.terminal().clock();
  }
}
