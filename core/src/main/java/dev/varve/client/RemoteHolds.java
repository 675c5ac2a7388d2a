// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.wire.MaintenanceRequest;
import dev.varve.wire.MaintenanceResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The holds of a store behind a server, whose client needs the scope admin there.
record RemoteHolds(ServerCalls calls) implements ContextHolds {

  private static final int REQUEST_BYTES = 512;

  @Override
  public ContextHold hold(ContextId context, @Nullable Instant until, String reason) {
    long untilUnixMs = until == null ? 0 : Math.max(1, until.toEpochMilli());
    return ask(new MaintenanceRequest.HoldSet(context.value(), untilUnixMs, reason), true)
        .getFirst();
  }

  @Override
  public Optional<ContextHold> release(ContextId context) {
    return ask(new MaintenanceRequest.HoldRelease(context.value()), false).stream().findFirst();
  }

  @Override
  public List<ContextHold> all() {
    return ask(new MaintenanceRequest.HoldList(), true);
  }

  private List<ContextHold> ask(MaintenanceRequest request, boolean repeatable) {
    return ((MaintenanceResponse.Holds) calls.call(request, REQUEST_BYTES, repeatable)).holds();
  }
}
