// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.local.LocalStore;
import dev.varve.server.binary.BinaryLimits;
import dev.varve.server.binary.BinaryPort;
import dev.varve.server.binary.BinaryService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What does not fit into one frame comes in several, and the caller does not notice.
class RemoteStoreInSmallFramesTest {

  private static final int FRAME_BYTES = 16 << 10;
  private static final int TURNS = 100;

  @TempDir Path folder;
  private LocalStore local;
  private BinaryPort port;
  private Store remote;
  private ContextId context;
  private List<TurnId> turns;

  @BeforeEach
  void serve() {
    local = LocalStore.open(folder, StoreOptions.DEFAULTS);
    port =
        BinaryPort.open(
            BinaryService.of(local),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            BinaryLimits.DEFAULTS.withFrameBytes(FRAME_BYTES),
            null);
    remote = RemoteStore.connect(port.address(), RemoteOptions.DEFAULTS);
    context = local.createContext().id();
    turns = new ArrayList<>();
    for (int i = 0; i < TURNS; i++) {
      Payload payload = noise(i, 100 * (i % 20));
      NewTurn turn = NewTurn.of(payload, new DeclaredType("test.Noise", 1), Encoding.RAW);
      turns.add(local.append(context, turn).id());
    }
  }

  @AfterEach
  void end() {
    remote.close();
    port.close();
    local.close();
  }

  private static Payload noise(long seed, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  @Test
  void pagesAreAsLongAsTheLocalOnes() {
    for (int limit : new int[] {0, 1, 7, 50, TURNS, 1000}) {
      for (View view : List.of(View.LATEST, View.HEADERS)) {
        same(remote.last(context, limit, view), local.last(context, limit, view));
        same(
            remote.before(context, turns.get(60), limit, view),
            local.before(context, turns.get(60), limit, view));
        for (int start : new int[] {0, 30, 99, 200}) {
          same(remote.range(context, start, limit, view), local.range(context, start, limit, view));
        }
      }
    }
  }

  private static void same(TurnPage found, TurnPage expected) {
    assertThat(found.turns()).isEqualTo(expected.turns());
    assertThat(found.head()).isEqualTo(expected.head());
    if (!expected.turns().isEmpty()) {
      assertThat(found.nextCursor()).isEqualTo(expected.nextCursor());
    }
  }

  @Test
  void aReplayIsWhole() {
    List<Turn> found = new ArrayList<>();
    remote.replay(turns.getLast(), View.LATEST, found::add);

    List<Turn> expected = new ArrayList<>();
    local.replay(turns.getLast(), View.LATEST, expected::add);
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void blobsLargerThanAFrameGoBothWays() {
    Payload large = noise(1, 1_000_000);

    BlobHash hash = remote.put(large);

    assertThat(local.get(hash)).isEqualTo(large);
    assertThat(remote.get(hash)).isEqualTo(large);
    assertThat(remote.putAll(List.of(noise(2, 9000), noise(3, 9000), large, noise(4, 10))))
        .hasSize(4)
        .allSatisfy(each -> assertThat(local.has(each)).isTrue());
  }

  @Test
  void aTurnThatFitsIntoNoFrameIsRefusedAndTheOthersAreNot() {
    NewTurn large = NewTurn.of(noise(1, FRAME_BYTES), new DeclaredType("large", 1), Encoding.RAW);
    assertThatThrownBy(() -> remote.append(context, large))
        .isInstanceOf(StoreException.TooLarge.class);
    TurnId there = local.append(context, large).id();

    assertThatThrownBy(() -> remote.turn(there, View.LATEST))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThat(remote.turn(there, View.HEADERS)).isEqualTo(local.turn(there, View.HEADERS));
    assertThat(remote.get(local.turn(there, View.HEADERS).payloadHash()))
        .isEqualTo(large.payload());
  }
}
