// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.cli.terminal.Terminal;

/// A way to run another command line in this process, for a command that takes command lines from
/// elsewhere.
@FunctionalInterface
public interface CommandRunner {

  /// Runs the command line and returns its exit status.
  int run(String[] args, Terminal terminal);
}
