// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.Version;
import dev.varve.cli.terminal.Terminal;
import dev.varve.hash.Blake3Acceleration;
import java.time.Duration;

/// The entry point of the process.
public final class Main {

  /// A command that takes no longer does not try out engines for hashing.
  private static final Duration SHORT = Duration.ofSeconds(2);

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args, Terminal.ofProcess()));
  }

  static int run(String[] args, Terminal terminal) {
    // Scripts ask for the version again and again: it is answered before picocli is even loaded.
    boolean version = args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    if (version) {
      return Version.print(terminal);
    }
    if (VectorModule.isWanted() && VectorModule.load()) {
      Blake3Acceleration.installAfter(SHORT);
    }
    return CommandRun.of(args, terminal);
  }
}
