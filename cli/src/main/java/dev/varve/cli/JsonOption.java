// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import picocli.CommandLine.Option;

/// `--json`, for the commands whose results a program might read.
final class JsonOption {

  @Option(names = "--json", description = "One JSON object a line, as told in docs/cli.md.")
  private boolean json;

  boolean json() {
    return json;
  }
}
