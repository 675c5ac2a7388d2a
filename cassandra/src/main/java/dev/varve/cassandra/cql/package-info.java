// SPDX-License-Identifier: Apache-2.0
/// The session of a store with a cluster ([ClusterSession]): statements, the errors and settings of
/// the driver, and the address of a store. Knows no table.
@NullMarked
package dev.varve.cassandra.cql;

import org.jspecify.annotations.NullMarked;
