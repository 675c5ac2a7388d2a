// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreErasures;

/// An erasure whose plan somebody agrees to without a look.
public final class AgreedErasure {

  private AgreedErasure() {}

  /// Plans and erases.
  public static EraseReceipt in(Store store, EraseRequest request) {
    StoreErasures erasures = store.erasures();
    return erasures.erase(
        request, erasures.plan(request, ReadProgress.NONE).digest(), ReadProgress.NONE);
  }
}
