// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import java.util.List;
import java.util.function.Function;

/// An entry in the list of commands.
///
/// @param name the word on the command line
/// @param make makes the object that picocli reads the options and arguments into
/// @param subcommands the entries below this one; empty for a command that does something itself
public record CommandEntry(
    String name, Function<CommandSession, Object> make, List<CommandEntry> subcommands) {

  public CommandEntry(String name, Function<CommandSession, Object> make) {
    this(name, make, List.of());
  }
}
