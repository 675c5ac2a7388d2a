// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.search;

import dev.varve.cli.session.CommandEntry;

/// The list of this room's commands.
public final class SearchCommands {

  public static final CommandEntry SEARCH = new CommandEntry("search", SearchCommand::new);

  private SearchCommands() {}
}
