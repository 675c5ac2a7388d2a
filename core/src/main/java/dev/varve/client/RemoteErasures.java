// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ReadProgress;
import dev.varve.StoreErasures;
import dev.varve.wire.MaintenanceRequest;
import dev.varve.wire.MaintenanceResponse;

/// Erasures of a store behind a server, whose client needs the scope admin there. Nothing is heard
/// of their progress.
record RemoteErasures(ServerCalls calls) implements StoreErasures {

  private static final int SMALL = 1024;

  @Override
  public ErasePlan plan(EraseRequest request, ReadProgress progress) {
    return ((MaintenanceResponse.Forecast)
            calls.call(new MaintenanceRequest.PlanErasure(request), sizeBytes(request), true))
        .plan();
  }

  @Override
  public EraseReceipt erase(EraseRequest request, BlobHash digest, ReadProgress progress) {
    return ((MaintenanceResponse.Erased)
            calls.call(new MaintenanceRequest.Erase(request, digest), sizeBytes(request), false))
        .receipt();
  }

  private static int sizeBytes(EraseRequest request) {
    return SMALL
        + Long.BYTES * request.contexts().size()
        + BlobHash.SIZE_BYTES * request.blobs().size()
        + request.secrets().stream().mapToInt(secret -> 4 + secret.sizeBytes()).sum();
  }
}
