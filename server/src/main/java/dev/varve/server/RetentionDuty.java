// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/// The order to a service to erase old content by itself.
///
/// @param every the time from one round to the next
/// @param rules the choice of the content that is old enough
/// @param done receives the receipt of each erasure
public record RetentionDuty(Duration every, Rules rules, Consumer<EraseReceipt> done) {

  /// Rules that choose content by its age.
  @FunctionalInterface
  public interface Rules {

    /// The erasure that is due at a time; empty if nothing is old enough.
    Optional<EraseRequest> due(Store store, Instant now);
  }
}
