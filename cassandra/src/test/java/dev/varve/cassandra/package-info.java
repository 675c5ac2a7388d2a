// SPDX-License-Identifier: Apache-2.0
/// Tests against real nodes of Cassandra, which [CassandraCluster] starts. Those that need a node
/// have the tag `cluster`, those that need three have the tag `three-nodes`.
@NullMarked
package dev.varve.cassandra;

import org.jspecify.annotations.NullMarked;
