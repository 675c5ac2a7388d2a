// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.server.access.Authenticator;
import dev.varve.server.contexts.ContextEvents;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.contexts.LiveSessions;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.logs.RequestLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// The news of a context that a client describes or moves: without them, searches would go on with
/// what the context said before.
final class DescriptionNewsTest extends Ports {

  @Test
  void aDescribedAndAMovedContextAreAnnouncedWithTheirTitles() throws Exception {
    BulkStore store = store();
    List<ServerEvent> heard = new CopyOnWriteArrayList<>();
    ContextEvents events =
        new ContextEvents(new LiveSessions(), ContextIndex.following(store), heard::add);
    BinaryPort port =
        port(store, BinaryLimits.DEFAULTS, Authenticator.OPEN, RequestLog.NONE, events);
    RemoteStore client = opened(RemoteStore.connect(port.address(), RemoteOptions.DEFAULTS));
    ContextHead head = client.createContext();

    ContextHead described =
        client.describe(head.id(), client.put(Payload.utf8("{\"title\":\"a new title\"}")));
    client.moveContext(
        head.id(), TurnId.NONE, TurnId.NONE, described.activeAt(), described.about());

    ServerEvent expected =
        new ServerEvent.ContextMetadataUpdated(head.id(), false, null, "a new title", List.of());
    assertThat(heard).filteredOn(expected::equals).hasSize(2);
  }
}
