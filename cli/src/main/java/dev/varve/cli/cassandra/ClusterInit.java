// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.cassandra;

import dev.varve.StoreException;
import dev.varve.access.DatabaseAccess;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.StoreAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `varve cassandra init`
@Command(
    name = "init",
    description = {
      "Makes the keyspace and the tables of stores, as far as they are missing.",
      "",
      "The user of the address must be allowed to make a keyspace. Other commands then",
      "need SELECT and MODIFY alone. The command may be repeated."
    },
    footer = {
      "  varve cassandra init --store cassandra://one,two/team --replication dc1=3",
      "  varve cassandra init --store cassandra://one/team --replication east=3,west=3"
    })
final class ClusterInit implements Callable<Integer> {

  private final CommandSession command;

  @Option(
      names = "--replication",
      required = true,
      paramLabel = "DC=COUNT,…",
      description = "The data centres and their numbers of copies, for a new keyspace.")
  private String replication = "";

  ClusterInit(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    if (!(command.address() instanceof StoreAddress.InDatabase store)) {
      throw new CommandException(
          ExitCodes.USAGE,
          "--store: expected cassandra://HOST/KEYSPACE, found " + command.address().shown(),
          null);
    }
    try {
      DatabaseAccess.driver(store.address()).orElseThrow().prepare(store.address(), replication);
    } catch (StoreException.Invalid e) {
      throw new CommandException(ExitCodes.USAGE, String.valueOf(e.getMessage()), null);
    }
    command.terminal().say("The keyspace and the tables are there: " + store.shown());
    return ExitCodes.OK;
  }
}
