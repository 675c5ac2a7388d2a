// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.cassandra;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve cassandra`: commands for stores on a cluster of Apache Cassandra.
@Command(
    name = "cassandra",
    description = "Prepares a cluster of Apache Cassandra for stores.",
    commandListHeading = "%nCommands:%n",
    footer = {"  varve cassandra init --store cassandra://one,two/team --replication dc1=3"})
public final class CassandraCommands implements Callable<Integer> {

  public static final CommandEntry ENTRY =
      new CommandEntry(
          "cassandra",
          _ -> new CassandraCommands(),
          List.of(new CommandEntry("init", ClusterInit::new)));

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCodes.USAGE,
        "cassandra: expected a command",
        "'varve cassandra --help' lists its commands.");
  }
}
