// SPDX-License-Identifier: Apache-2.0
/// A store on Apache Cassandra ([CassandraStore]), for several services at once.
///
/// The room `cassandra.cql` asks the cluster and repeats what may be repeated; here, a class for
/// each table or two knows the statements; [TurnAppend] knows the order of writes, and
/// [ClusterErasures] that of an erasure, beside which nobody writes ([WriteLease]).
///
/// Page: `docs/format/cassandra.md`.
@NullMarked
package dev.varve.cassandra;

import org.jspecify.annotations.NullMarked;
