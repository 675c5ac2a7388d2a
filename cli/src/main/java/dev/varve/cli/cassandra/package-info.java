// SPDX-License-Identifier: Apache-2.0
/// Commands for stores on a cluster of Apache Cassandra.
@NullMarked
package dev.varve.cli.cassandra;

import org.jspecify.annotations.NullMarked;
