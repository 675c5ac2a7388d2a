// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.files;

import dev.varve.Store;
import dev.varve.Turn;
import java.util.Optional;

/// Plans the restore of captured files to the folder on this machine from which they were taken.
/// Changes no file of the folder.
@FunctionalInterface
public interface RestoreAdvice {

  /// Plans nothing: for a service that other machines reach, or whose store has no snapshots.
  RestoreAdvice NONE = (_, _) -> Optional.empty();

  /// The plan as a JSON object (`RestorePlan` of the API document); empty if the turn keeps no
  /// snapshot that can be restored here.
  ///
  /// @param turn with its payload
  /// @throws dev.varve.StoreException.NotFound if the folder is not here
  Optional<String> plan(Store store, Turn turn);
}
