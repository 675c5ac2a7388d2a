// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of a command that manual pages and completions list.
final class ListedOptions {

  private ListedOptions() {}

  /// Returns the options that are not hidden, in the order of the help. A command's own list is not
  /// in that order everywhere: Java gives the methods that take options in an order that differs
  /// from run to run.
  static List<OptionSpec> of(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden())
        .sorted(Comparator.comparingInt(OptionSpec::order))
        .toList();
  }
}
