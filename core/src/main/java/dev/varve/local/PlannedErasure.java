// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ErasePlan;

/// An erasure that was planned for a store and can be carried out, once, by
/// [LocalStore#eraseAndClose].
public final class PlannedErasure {

  private final ErasureSelection selection;

  PlannedErasure(ErasureSelection selection) {
    this.selection = selection;
  }

  /// The forecast.
  public ErasePlan plan() {
    return selection.plan();
  }

  ErasureSelection selection() {
    return selection;
  }
}
