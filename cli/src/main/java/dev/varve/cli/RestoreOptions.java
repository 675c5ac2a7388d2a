// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import picocli.CommandLine.Option;

/// How a restore, an undo and a redo are asked for.
final class RestoreOptions {

  @Option(
      names = {"-n", "--dry-run"},
      description = "Shows what would change, and changes nothing.")
  private boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Does it without asking.")
  private boolean yes;

  @Option(
      names = "--keep-edits",
      description = "Leaves files alone that were edited since the last snapshot.")
  private boolean keepEdits;

  boolean dryRun() {
    return dryRun;
  }

  boolean yes() {
    return yes;
  }

  boolean keepEdits() {
    return keepEdits;
  }
}
