// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.View;
import dev.varve.hash.Blake3;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.Frame;
import dev.varve.wire.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that are sent without waiting for answers.
class PipeliningTest extends Ports {

  static BasicRequest.AppendTurn append(ContextId context, String text, @Nullable BlobHash root) {
    Payload payload = Payload.utf8(text);
    return new BasicRequest.AppendTurn(
        context.value(),
        0,
        "test.Message",
        1,
        1,
        0,
        payload.sizeBytes(),
        Blake3.hash(payload.unsafeArray()),
        payload,
        Payload.EMPTY,
        root);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000, 1_500_000})
  void oneOfManyWhoPutOneNewBlobAtOnceHearsThatTheBlobIsNew(int sizeBytes) throws IOException {
    byte[] bytes = new byte[sizeBytes];
    RandomGenerator.of("L64X128MixRandom").nextBytes(bytes);
    BasicRequest.PutBlob put = new BasicRequest.PutBlob(Blake3.hash(bytes), Payload.wrap(bytes));
    BinaryPort port = port(store(), BinaryLimits.DEFAULTS);
    List<Peer> putters = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      putters.add(peer(port));
    }

    for (Peer putter : putters) {
      putter.send(put);
    }
    List<Response> answers = new ArrayList<>();
    for (Peer putter : putters) {
      answers.add(Response.read(put, received(putter)));
    }

    assertThat(answers).hasOnlyElementsOfType(BasicResponse.Put.class);
    assertThat(answers)
        .filteredOn(answer -> answer instanceof BasicResponse.Put stored && stored.wasNew())
        .hasSize(1);
  }

  @Test
  void aSlowRequestHoldsUpNoFastOne() throws IOException {
    SlowStore slow = new SlowStore(store(), 1);
    BlobHash blob = slow.put(Payload.utf8("blob"));
    ContextId context = slow.createContext().id();
    Peer peer = peer(port(slow, BinaryLimits.DEFAULTS));

    long slowId = peer.send(new BasicRequest.GetBlob(blob));
    slow.awaitBegun();
    long fastId = peer.send(new BasicRequest.GetHead(context.value()));

    assertThat(received(peer).reqId()).isEqualTo(fastId);
    slow.release();
    assertThat(received(peer).reqId()).isEqualTo(slowId);
  }

  private static Frame received(Peer peer) throws IOException {
    return Objects.requireNonNull(peer.receive());
  }

  @Test
  void noMoreRequestsAreWorkedOnThanTheLimitSays() throws IOException {
    SlowStore slow = new SlowStore(store(), 3);
    BlobHash blob = slow.put(Payload.utf8("blob"));
    Peer peer = peer(port(slow, BinaryLimits.DEFAULTS.withInFlight(3)));
    for (int i = 0; i < 20; i++) {
      peer.send(new BasicRequest.GetBlob(blob));
    }
    slow.awaitBegun();
    slow.release();

    for (int i = 0; i < 20; i++) {
      received(peer);
    }
    assertThat(slow.readingMost()).isEqualTo(3);
  }

  @Test
  void appendsToOneContextKeepTheirOrderAndAreSeenByWhatFollows() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    Peer peer = peer(port(store, BinaryLimits.DEFAULTS));
    Map<Long, BasicRequest> asked = new HashMap<>();
    List<String> said = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      BasicRequest append = append(context, "turn " + i, null);
      BasicRequest head = new BasicRequest.GetHead(context.value());
      asked.put(peer.send(append), append);
      asked.put(peer.send(head), head);
      said.add("turn " + i);
    }

    Map<Long, Response> answers = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      Frame frame = received(peer);
      answers.put(
          frame.reqId(), Response.read(Objects.requireNonNull(asked.get(frame.reqId())), frame));
    }
    for (int i = 0; i < 100; i++) {
      BasicResponse.Appended appended = (BasicResponse.Appended) answers.get(2L * i + 1);
      BasicResponse.Head head = (BasicResponse.Head) answers.get(2L * i + 2);
      assertThat(Objects.requireNonNull(appended).depth()).isEqualTo(i);
      assertThat(Objects.requireNonNull(head).headDepth()).isGreaterThanOrEqualTo(i);
    }
    assertThat(store.last(context, 1000, View.LATEST).turns())
        .extracting(turn -> turn.payload() == null ? "" : turn.payload().text())
        .isEqualTo(said);
  }

  @Test
  void anAppendWaitsForTheBlobThatWasSentBeforeIt() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    Peer peer = peer(port(store, BinaryLimits.DEFAULTS));
    for (int i = 0; i < 30; i++) {
      Payload tree = Payload.utf8("tree " + i);
      BlobHash root = Blake3.hash(tree.unsafeArray());
      peer.send(new BasicRequest.PutBlob(root, tree));
      peer.send(append(context, "turn " + i, root));
      peer.send(new BasicRequest.GetBlob(root));
    }

    for (int i = 0; i < 90; i++) {
      assertThat(received(peer).type()).as("no ERROR").isNotEqualTo(255);
    }
  }

  @Test
  void aClientThatSendsAllAndEndsItsSideGetsAllAnswers() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    Peer peer = peer(port(store, BinaryLimits.DEFAULTS));
    for (int i = 0; i < 50; i++) {
      peer.send(append(context, "turn " + i, null));
    }
    peer.endOutput();

    for (int i = 0; i < 50; i++) {
      received(peer);
    }
    assertThat(peer.receive()).isNull();
    assertThat(store.head(context).headDepth()).isEqualTo(49);
  }

  @Test
  void whatIsRefusedInBetweenStopsNothing() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    Peer peer = peer(port(store, BinaryLimits.DEFAULTS));
    BasicRequest absent = new BasicRequest.GetHead(77);

    for (int i = 0; i < 10; i++) {
      assertThat(peer.code(append(context, "turn " + i, new BlobHash(1, 2, 3, 4)))).isEqualTo(404);
      assertThat(peer.ask(absent)).isInstanceOf(ErrorResponse.class);
      assertThat(peer.code(append(context, "turn " + i, null))).isZero();
    }
    assertThat(store.counts().turns()).isEqualTo(10);
  }
}
