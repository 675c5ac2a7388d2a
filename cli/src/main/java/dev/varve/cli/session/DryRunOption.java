// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import picocli.CommandLine.Option;

/// The option `--dry-run`, for commands that can show their changes without making them.
public final class DryRunOption {

  @Option(
      names = {"-n", "--dry-run"},
      description = "Shows what would change, and changes nothing.")
  private boolean dry;

  public boolean dry() {
    return dry;
  }
}
