// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import dev.varve.StoreException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The replication of a keyspace: its strategy, and the number of replicas in each data centre.
///
/// @param strategy the simple name of a class
public record KeyspaceReplication(String strategy, Map<String, String> replicas) {

  private static final String STRATEGY = "NetworkTopologyStrategy";

  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9_.-]{1,100}=[1-9](?:,[A-Za-z0-9_.-]{1,100}=[1-9])*");

  /// Reads what a user asks for, as `dc1=3,dc2=3`.
  ///
  /// @throws StoreException.Invalid if the text has another form, or a data centre twice
  public static KeyspaceReplication parse(String text) {
    Map<String, String> replicas = new TreeMap<>();
    boolean fits = FORM.matcher(text).matches();
    for (String part : fits ? text.split(",", -1) : new String[0]) {
      String[] pair = part.split("=", 2);
      fits &= replicas.put(pair[0], pair[1]) == null;
    }
    if (!fits) {
      throw new StoreException.Invalid("replication", "expected DC=COUNT,…, found '" + text + "'");
    }
    return new KeyspaceReplication(STRATEGY, replicas);
  }

  /// Reads what a cluster says of a keyspace.
  public static KeyspaceReplication of(Map<String, String> options) {
    Map<String, String> replicas = new TreeMap<>(options);
    String strategy = String.valueOf(replicas.remove("class"));
    return new KeyspaceReplication(strategy.substring(strategy.lastIndexOf('.') + 1), replicas);
  }

  /// The value of the option `replication` in CQL.
  public String cql() {
    return replicas.entrySet().stream()
        .map(one -> "'%s': %s".formatted(one.getKey(), one.getValue()))
        .collect(Collectors.joining(", ", "{'class': '" + strategy + "', ", "}"));
  }

  /// As a user writes a replication; another strategy is named.
  @Override
  public String toString() {
    String counts =
        replicas.entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining(","));
    return strategy.equals(STRATEGY) ? counts : strategy + " " + counts;
  }
}
