// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.cassandra.cql.DriverSettings;
import java.time.Duration;

/// The times by which writers and erasures keep out of each other's way.
///
/// @param lease how long a writer may send writes after a look at the gate
/// @param margin how much longer an erasure waits: longer than a sent statement may be waited for
/// @param silence after this time without a sign of life an erasure counts as one whose program
///   ended
record GateTimes(Duration lease, Duration margin, Duration silence) {

  static final GateTimes DEFAULTS =
      new GateTimes(
          Duration.ofSeconds(3),
          DriverSettings.REQUEST_TIMEOUT.plusSeconds(1),
          Duration.ofSeconds(60));
}
