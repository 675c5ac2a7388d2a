// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Principal;
import dev.varve.server.access.Scope;
import dev.varve.server.events.ClientSession;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.logs.AnsweredRequest;
import dev.varve.server.logs.RequestLog;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.StoreRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Introductions, tokens, and what is told of clients to others.
class WhoIsThereTest extends Ports {

  private final List<ServerEvent> events = new CopyOnWriteArrayList<>();
  private final List<AnsweredRequest> noted = new CopyOnWriteArrayList<>();
  private final AtomicReference<Principal.Admission> verdict =
      new AtomicReference<>(Principal.Admission.ADMITTED);

  private final EventListener listener = events::add;

  /// `reader` may read, `writer` may write too; nobody else is known.
  private final Authenticator tokens =
      token ->
          token == null || token.equals("stranger") ? Optional.empty() : Optional.of(known(token));

  private Principal known(String name) {
    return new Principal() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Admission admit(Scope needed) {
        boolean allowed = needed == Scope.READ || needed == Scope.WRITE && !name.equals("reader");
        return allowed ? verdict.get() : Admission.FORBIDDEN;
      }
    };
  }

  private static BasicRequest.Hello hello(String tag, String meta) {
    return new BasicRequest.Hello(1, tag, meta, false);
  }

  @Test
  void withoutATokenNothingIsAnsweredButTheIntroduction() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS, tokens, RequestLog.NONE, listener);
    Peer peer = peer(port);

    assertThat(peer.code(hello("agent", ""))).isZero();
    assertThat(peer.code(new BasicRequest.GetHead(context.value()))).isEqualTo(401);
    assertThat(peer.code(new BasicRequest.CtxCreate(0))).isEqualTo(401);
    assertThat(peer.code(hello("agent", "{\"token\":\"stranger\"}"))).isEqualTo(401);
    assertThat(peer.code(new StoreRequest.Open(1, "agent", "stranger"))).isEqualTo(401);
    assertThat(store.counts().contexts()).isEqualTo(1);
  }

  @Test
  void aTokenIsShownInEachOfThreeWays() throws IOException {
    BulkStore store = store();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS, tokens, RequestLog.NONE, listener);
    List<BasicRequest> asCxdb =
        List.of(
            hello("agent", "{\"a\":1, \"token\" : \"writer\"}"), hello("agent;token=writer", ""));
    for (BasicRequest introduction : asCxdb) {
      Peer peer = peer(port);
      assertThat(peer.code(introduction)).isZero();
      assertThat(peer.code(new BasicRequest.CtxCreate(0))).isZero();
    }
    Peer peer = peer(port);
    assertThat(peer.code(new StoreRequest.Open(1, "agent", "writer"))).isZero();
    assertThat(peer.code(new BasicRequest.CtxCreate(0))).isZero();

    assertThat(events)
        .filteredOn(ServerEvent.ClientConnected.class::isInstance)
        .hasSize(3)
        .allSatisfy(
            event ->
                assertThat(((ServerEvent.ClientConnected) event).session().clientTag())
                    .as("nobody sees the token")
                    .isEqualTo("agent"));
  }

  @Test
  void aTokenReachesAsFarAsItsScopesAndAsLongAsItIsGood() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS, tokens, noted::add, listener);
    Peer reader = peer(port);
    reader.ask(new StoreRequest.Open(1, "", "reader"));
    Peer writer = peer(port);
    writer.ask(new StoreRequest.Open(1, "", "writer"));
    BasicRequest append = PipeliningTest.append(context, "a", null);

    assertThat(reader.code(new BasicRequest.GetHead(context.value()))).isZero();
    assertThat(reader.code(append)).isEqualTo(403);
    assertThat(writer.code(append)).isZero();
    assertThat(writer.code(new StoreRequest.ContextRestore(70, 0, 0, 1, 1, null)))
        .as("bringing in history needs more")
        .isEqualTo(403);
    verdict.set(Principal.Admission.TOO_MANY);
    assertThat(writer.code(append)).isEqualTo(429);
    verdict.set(Principal.Admission.REVOKED);
    assertThat(writer.code(append)).isEqualTo(401);
    verdict.set(Principal.Admission.ADMITTED);
    assertThat(writer.code(append)).as("the connection has lived").isZero();

    assertThat(noted)
        .filteredOn(AnsweredRequest::writes)
        .extracting(entry -> entry.who() + " " + entry.what() + " " + entry.status())
        .containsExactly(
            "reader APPEND_TURN 403",
            "writer APPEND_TURN 200",
            "writer CONTEXT_RESTORE 403",
            "writer APPEND_TURN 429",
            "writer APPEND_TURN 401",
            "writer APPEND_TURN 200");
    assertThat(noted)
        .as("reads and introductions are reported too")
        .extracting(entry -> entry.who() + " " + entry.what())
        .contains("reader OPEN", "reader GET_HEAD");
    assertThat(noted)
        .filteredOn(entry -> entry.what().equals("GET_HEAD") || entry.what().equals("APPEND_TURN"))
        .extracting(AnsweredRequest::target)
        .containsOnly("context " + context);
  }

  @Test
  void whatHappensIsTold() throws IOException {
    BulkStore store = store();
    BinaryPort port =
        port(store, BinaryLimits.DEFAULTS, Authenticator.OPEN, RequestLog.NONE, listener);
    try (Peer peer = new Peer(port.address())) {
      peer.ask(hello("agent", ""));
      long made = ((BasicResponse.Head) peer.ask(new BasicRequest.CtxCreate(0))).contextId();
      BasicRequest.AppendTurn keyed =
          withKey(PipeliningTest.append(new ContextId(made), "once", null));
      peer.ask(keyed);
      peer.ask(keyed);
      peer.ask(PipeliningTest.append(new ContextId(made), "again", null));
      peer.ask(keyed);
      peer.endOutput();
      assertThat(peer.isEnded()).isTrue();
    }
    while (port.connectionCount() > 0) {
      Thread.onSpinWait();
    }

    assertThat(events)
        .as("a retry is nothing new")
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly(
            "ClientConnected",
            "ContextCreated",
            "TurnAppended",
            "TurnAppended",
            "ClientDisconnected");
    ServerEvent.ClientDisconnected last = (ServerEvent.ClientDisconnected) events.getLast();
    assertThat(last.contexts()).containsExactly(new ContextId(1));
    ClientSession session = last.session();
    assertThat(session.clientTag()).isEqualTo("agent");
    assertThat(session.lastActivityAt()).isAfterOrEqualTo(session.connectedAt());
    assertThat(session.peerAddress()).startsWith("127.0.0.1:");
  }

  private static BasicRequest.AppendTurn withKey(BasicRequest.AppendTurn append) {
    return new BasicRequest.AppendTurn(
        append.contextId(),
        append.parentTurnId(),
        append.typeId(),
        append.typeVersion(),
        append.encoding(),
        append.compression(),
        append.uncompressedLen(),
        append.contentHash(),
        append.payload(),
        Payload.utf8("key"),
        null);
  }

  @Test
  void whoOnlyAppendsIsASessionToo() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    BinaryPort port =
        port(store, BinaryLimits.DEFAULTS, Authenticator.OPEN, RequestLog.NONE, listener);
    Peer peer = peer(port);
    peer.ask(new BasicRequest.GetHead(context.value()));
    assertThat(events).as("who only reads is none").isEmpty();

    peer.ask(PipeliningTest.append(context, "a", null));

    assertThat(events).hasSize(2).last().isInstanceOf(ServerEvent.TurnAppended.class);
  }
}
