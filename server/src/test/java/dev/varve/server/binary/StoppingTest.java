// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BulkStore;
import dev.varve.Payload;
import dev.varve.hash.Blake3;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.Frame;
import dev.varve.wire.MessageType;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A port that is closed while clients send as much as they can.
class StoppingTest extends Ports {

  private static final int PAYLOAD_BYTES = 2_000;

  private static BasicRequest append(long context, int number) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    payload[0] = (byte) number;
    payload[1] = (byte) (number >> 8);
    return new BasicRequest.AppendTurn(
        context,
        0,
        "test.Message",
        1,
        255,
        0,
        payload.length,
        Blake3.hash(payload),
        Payload.wrap(payload),
        Payload.EMPTY,
        null);
  }

  @Test
  void everyTurnThatWasStoredIsAnsweredThoughTheClientSentMore() throws Exception {
    BulkStore store = store();
    BinaryPort port = port(store, BinaryLimits.DEFAULTS);
    Peer peer = peer(port);
    long context = store.createContext().id().value();
    CountDownLatch sent = new CountDownLatch(500);
    Thread sender =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    for (int i = 0; ; i++) { // never stops by itself, never waits for an answer
                      peer.send(append(context, i));
                      sent.countDown();
                    }
                  } catch (IOException e) {
                    sent.countDown(); // the port is closed
                  }
                });
    sent.await();
    assertThat(Objects.requireNonNull(peer.receive()).type())
        .isEqualTo(MessageType.APPEND_TURN.number());
    Thread closing = Thread.ofVirtual().start(port::close);
    long answered = 1;
    for (Frame frame = peer.receive(); frame != null; frame = peer.receive()) {
      assertThat(frame.type()).isEqualTo(MessageType.APPEND_TURN.number());
      answered++;
    }
    closing.join();
    sender.join();

    assertThat(answered).isEqualTo(store.counts().turns());
  }
}
