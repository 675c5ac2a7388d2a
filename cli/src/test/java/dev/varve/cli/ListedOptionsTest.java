// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Manual pages and completions are the same bytes in each build: options in an order of their own.
class ListedOptionsTest {

  @Test
  void optionsStandInTheOrderOfTheHelpAndNotInTheOrderThatJavaFoundThemIn() {
    CommandSpec command = CommandSpec.create();
    command.addOption(OptionSpec.builder("--third").order(3).build());
    command.addOption(OptionSpec.builder("--never").order(1).hidden(true).build());
    command.addOption(OptionSpec.builder("--first").order(0).build());
    command.addOption(OptionSpec.builder("--second").order(2).build());

    assertThat(ListedOptions.of(command))
        .extracting(OptionSpec::longestName)
        .containsExactly("--first", "--second", "--third");
  }
}
