// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import picocli.CommandLine.Option;

/// The option `--json`, for commands whose results a program may read.
public final class JsonOption {

  @Option(names = "--json", description = "One JSON object a line; docs/cli.md lists the fields.")
  private boolean json;

  public boolean json() {
    return json;
  }
}
