// SPDX-License-Identifier: Apache-2.0
/// A store on Apache Cassandra ([CassandraStore]), for several services at once.
///
/// [ClusterSession] asks the cluster and repeats what may be repeated; a class for each table or
/// two knows the statements; [TurnAppend] knows the order of writes. Nothing outside the room knows
/// the driver.
///
/// Page: `docs/format/cassandra.md`.
@NullMarked
package dev.varve.cassandra;

import org.jspecify.annotations.NullMarked;
