// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.session.DryRunOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options that a restore, an undo and a redo share.
final class RestoreOptions {

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  @Option(
      names = {"-y", "--yes"},
      description = "Restores without asking.")
  private boolean yes;

  @Option(
      names = "--keep-edits",
      description = "Leaves files alone that were edited since the last snapshot.")
  private boolean keepEdits;

  boolean dryRun() {
    return dryRun.dry();
  }

  boolean yes() {
    return yes;
  }

  boolean keepEdits() {
    return keepEdits;
  }
}
