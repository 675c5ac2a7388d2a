// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.server.limits.PeerTimeouts;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.Frame;
import dev.varve.wire.Response;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers that are slow, silent, greedy, or speak something else: they are told so or left, and
/// others notice nothing.
@Timeout(120)
class HostilePeersTest extends Ports {

  private static final BinaryLimits SHORT =
      BinaryLimits.DEFAULTS.withTimeouts(PeerTimeouts.all(Duration.ofMillis(300)));

  private static byte[] header(long length, int type, long reqId) {
    byte[] frame = new Frame(type, 0, reqId, new byte[0]).bytes();
    for (int i = 0; i < 4; i++) {
      frame[i] = (byte) (length >>> (8 * i));
    }
    return frame;
  }

  private static void stillServes(Peer calm, ContextId context) throws IOException {
    assertThat(calm.code(new BasicRequest.GetHead(context.value()))).isZero();
  }

  @Test
  void whoSaysNothingIsLeft() throws IOException {
    BinaryPort port = port(store(), SHORT);

    assertThat(peer(port).isEnded()).isTrue();
  }

  @Test
  void whoStopsWithinAHeaderOrAPayloadIsLeft() throws IOException {
    BinaryPort port = port(store(), SHORT);
    Peer header = peer(port);
    header.raw(new byte[7]);
    Peer body = peer(port);
    body.raw(header(100, 9, 1));
    body.raw(new byte[50]);

    assertThat(header.isEnded()).isTrue();
    assertThat(body.isEnded()).isTrue();
    Peer only = peer(port(store(), SHORT.withInFlight(1)));
    only.raw(header(100, 9, 1));
    assertThat(only.isEnded()).as("though it takes the only slot there is").isTrue();
  }

  @Test
  void whoWaitsForUsIsNotLate() throws IOException {
    SlowStore slow = new SlowStore(store(), 1);
    BlobHash blob = slow.put(Payload.utf8("blob"));
    ContextId context = slow.createContext().id();
    Peer patient = peer(port(slow, SHORT.withInFlight(1)));
    patient.send(new BasicRequest.GetBlob(blob));
    slow.awaitBegun();
    patient.send(new BasicRequest.GetHead(context.value()));
    assertThat(peer(port(slow, SHORT)).isEnded()).as("meanwhile others have been left").isTrue();

    slow.release();

    assertThat(Objects.requireNonNull(patient.receive()).type()).isEqualTo(9);
    assertThat(Objects.requireNonNull(patient.receive()).type()).isEqualTo(4);
  }

  @Test
  void whoTakesNoAnswersIsLeftAndHoldsUpNobody() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    byte[] bytes = new byte[4 << 20];
    new SplittableRandom(1).nextBytes(bytes);
    BlobHash blob = store.put(Payload.wrap(bytes));
    BinaryPort port =
        port(
            store,
            new BinaryLimits(
                64 << 20,
                0,
                100,
                4,
                64 << 20,
                100,
                Duration.ofSeconds(5),
                PeerTimeouts.all(Duration.ofMinutes(1)).withWrite(Duration.ofMillis(300)),
                Duration.ofSeconds(20)));
    Peer greedy = peer(port);
    Peer calm = peer(port);
    for (int i = 0; i < 1000; i++) {
      greedy.send(new BasicRequest.GetBlob(blob)); // 4 GB of answers
    }
    for (int i = 0; i < 50; i++) {
      stillServes(calm, context);
    }
    while (port.connectionCount() > 1) { // the greedy one is left, not the calm one
      stillServes(calm, context);
    }
    while (port.bufferFreeBytes() < 64 << 20) { // what its answers took is given back
      stillServes(calm, context);
    }
  }

  @Test
  void aLengthThatIsOnlyDeclaredTakesNoMemory() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS);
    long free = port.bufferFreeBytes();
    List<Peer> liars = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Peer liar = peer(port);
      liar.raw(header(64 << 20, 11, 1));
      liar.raw((byte) 1);
      liars.add(liar);
    }
    Peer calm = peer(port);
    stillServes(calm, context);

    assertThat(port.bufferFreeBytes()).isEqualTo(free);
  }

  @Test
  void aFrameThatIsTooLargeIsReadOverAndRefused() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    Peer peer = peer(port(store, BinaryLimits.DEFAULTS.withFrameBytes(10_000)));

    peer.raw(header(1_000_000, 11, 5));
    peer.raw(new byte[1_000_000]);

    Frame frame = Objects.requireNonNull(peer.receive());
    assertThat(frame.reqId()).isEqualTo(5);
    assertThat(code(frame)).isEqualTo(413);
    stillServes(peer, context);
  }

  private static int code(Frame frame) {
    return Response.read(new BasicRequest.GetHead(1), frame) instanceof ErrorResponse error
        ? error.code()
        : 0;
  }

  @Test
  void aFrameThatIsFarTooLargeIsRefusedAndTheEnd() throws IOException {
    BinaryPort port = port(store(), BinaryLimits.DEFAULTS);
    for (long length : new long[] {0xffff_ffffL, 0x2054_4547L}) { // the second is "GET "
      Peer peer = peer(port);
      peer.raw(header(length, 5, 9));

      assertThat(code(Objects.requireNonNull(peer.receive()))).isEqualTo(413);
      assertThat(peer.receive()).isNull();
    }
  }

  /// Four that hold all memory there is for large frames, and keep it waiting: nobody else notices.
  @Test
  void whoHoldsMemoryAndSendsNothingGivesWay() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    BinaryPort port =
        port(store, BinaryLimits.DEFAULTS.withBuffers(4 << 20, Duration.ofMinutes(10)));
    List<Peer> holders = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Peer holder = peer(port);
      holder.raw(header(1_100_000, 11, 1));
      holder.raw(new byte[1_000_000]);
      holders.add(holder);
    }
    Peer peer = peer(port);
    while (port.bufferFreeBytes() > 1_100_000) { // there is room for no other
      stillServes(peer, context);
    }

    Payload large = Payload.wrap(new byte[1 << 20]);
    for (int i = 0; i < 5; i++) {
      assertThat(peer.code(new BasicRequest.PutBlob(Blake3.hash(large), large))).isZero();
    }

    int refused = 0;
    for (Peer holder : holders) { // they are told so when they have sent the rest, and live
      holder.raw(new byte[100_000]);
      refused += code(Objects.requireNonNull(holder.receive())) == 503 ? 1 : 0;
      stillServes(holder, context);
    }
    assertThat(refused).isBetween(1, 4);
  }

  /// The same with answers: who does not take them is left.
  @Test
  void whoDoesNotTakeLargeAnswersGivesWay() throws IOException {
    BulkStore store = store();
    byte[] bytes = new byte[32 << 20]; // more than sockets swallow
    new SplittableRandom(1).nextBytes(bytes);
    BlobHash blob = store.put(Payload.wrap(bytes));
    BinaryPort port =
        port(store, BinaryLimits.DEFAULTS.withBuffers(64 << 20, Duration.ofMinutes(10)));
    Peer greedy = peer(port);
    greedy.send(new BasicRequest.GetBlob(blob)); // twice its size is held: blob and frame
    Peer peer = peer(port);
    while (port.bufferFreeBytes() > 0) {
      Thread.onSpinWait();
    }

    assertThat(peer.code(new BasicRequest.GetBlob(blob))).isZero();
    assertThat(greedy.isEnded()).isTrue();
  }

  @Test
  void aBodyForWhichThereIsNoMemoryIsRefusedAndTheConnectionLives() throws Exception {
    SlowStore slow = new SlowStore(store(), 1);
    byte[] bytes = new byte[1 << 20];
    BlobHash blob = slow.put(Payload.wrap(bytes));
    ContextId context = slow.createContext().id();
    BinaryPort port =
        port(slow, BinaryLimits.DEFAULTS.withBuffers(1 << 20, Duration.ofMillis(100)));
    Peer holder = peer(port);
    holder.send(new BasicRequest.GetBlob(blob)); // takes all there is, and is worked on
    slow.awaitBegun();
    Peer peer = peer(port);

    Payload large = Payload.wrap(new byte[1 << 20]);
    assertThat(peer.code(new BasicRequest.PutBlob(new BlobHash(1, 2, 3, 4), large))).isEqualTo(503);
    stillServes(peer, context);
    slow.release();
    assertThat(Objects.requireNonNull(holder.receive()).type()).isEqualTo(9);
  }

  @Test
  void oneConnectionMoreThanTheLimitIsToldSo() throws IOException {
    BulkStore store = store();
    ContextId context = store.createContext().id();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS.withConnections(2));
    Peer one = peer(port);
    stillServes(one, context);
    Peer two = peer(port);
    stillServes(two, context);

    Peer three = peer(port);

    assertThat(code(Objects.requireNonNull(three.receive()))).isEqualTo(503);
    assertThat(three.receive()).isNull();
    two.close();
    stillServes(one, context);
    while (port.connectionCount() > 1) {
      Thread.onSpinWait();
    }
    stillServes(peer(port), context);
  }

  /// Noise as frames and as anything: each connection gets answers or its end, and the port goes
  /// on.
  @Test
  void noiseHarmsNobody() throws IOException {
    int runs = Integer.getInteger("fuzz.runs", 200);
    BulkStore store = store();
    ContextId context = store.createContext().id();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS.withFrameBytes(8192));
    Peer calm = peer(port);
    int left = 0;
    for (int run = 0; run < runs; run++) {
      SplittableRandom random = new SplittableRandom(run);
      try (Peer noisy = new Peer(port.address())) {
        for (int i = random.nextInt(20); i >= 0; i--) {
          byte[] payload = new byte[random.nextInt(300)];
          random.nextBytes(payload);
          int type = random.nextInt(100);
          noisy.raw(
              random.nextInt(10) == 0
                  ? payload
                  : new Frame(type, random.nextInt(3), i, payload).bytes());
        }
        noisy.endOutput();
        assertThat(noisy.isEnded()).as("seed %d", run).isTrue();
      } catch (SocketException e) {
        left++; // after a length that no frame has
      }
      stillServes(calm, context);
    }
    assertThat(left).as("most are listened to until they end").isLessThan(runs / 2);
  }

  // ---- the end of the server

  @Test
  void closingAnswersWhatWasAcceptedAndTakesNoMore() throws Exception {
    SlowStore slow = new SlowStore(store(), 1);
    BlobHash blob = slow.put(Payload.utf8("blob"));
    BinaryPort port = port(slow, BinaryLimits.DEFAULTS);
    Peer peer = peer(port);
    peer.send(new BasicRequest.GetBlob(blob));
    slow.awaitBegun();

    FutureTask<Void> closing =
        new FutureTask<>(
            () -> {
              port.close();
              return null;
            });
    Thread.ofVirtual().start(closing);
    awaitRefusal(port);
    assertThat(closing.isDone()).as("it waits for what was accepted").isFalse();
    slow.release();

    assertThat(Objects.requireNonNull(peer.receive()).type()).isEqualTo(9);
    assertThat(peer.receive()).isNull();
    closing.get(30, TimeUnit.SECONDS);
    assertThat(port.connectionCount()).isZero();
    port.close();
  }

  private static void awaitRefusal(BinaryPort port) throws IOException {
    while (true) {
      try (Peer late = new Peer(port.address())) {
        late.isEnded(); // accepted just before
      } catch (ConnectException e) {
        return;
      } catch (SocketException e) {
        // The system had taken the connection and the port not yet: the end of the listening
        // socket resets what waits in its queue.
      }
    }
  }

  @Test
  void aPortThatIsTakenIsBusy() throws IOException {
    BulkStore store = store();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS);

    assertThatThrownBy(() -> BinaryPort.open(store, port.address()))
        .isInstanceOf(StoreException.Busy.class)
        .hasMessageContaining(String.valueOf(port.address().getPort()));
  }
}
