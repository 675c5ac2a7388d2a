// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

/// Where the process starts.
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args, Terminal.ofProcess()));
  }

  static int run(String[] args, Terminal terminal) {
    // Scripts ask for the version again and again: it is answered before picocli is even loaded.
    boolean version = args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    return version ? Version.print(terminal) : Run.of(args, terminal);
  }
}
