// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve import`
@Command(
    name = "import",
    description = "Brings in what other programs keep. Makes the store if there is none.",
    footer = {
      "  varve import pi ~/.pi/agent/sessions",
      "  varve import cxdb /var/lib/cxdb --store ./store"
    })
final class Import implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new Refusal(
        ExitCodes.USAGE, "import: from what?", "'varve import --help' lists the formats.");
  }
}
