// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.socket.SocketFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The way to a store that no service has open.
final class StoreAccessTest {

  @TempDir Path temporary;

  private StoreAccess access(WaitingRules rules) {
    return StoreAccess.of(temporary.resolve("store"), rules);
  }

  @Test
  void makesAStoreOnlyWhereThatIsAskedFor() {
    StoreAccess access = access(WaitingRules.NONE);
    assertThat(access.openIfThere()).isEmpty();
    assertThatThrownBy(access::openExisting).isInstanceOf(StoreException.NoStore.class);
    assertThat(access.root()).doesNotExist();
    try (Store store = access.open()) {
      store.put(Payload.utf8("kept"));
    }
    assertThat(access.root()).exists();
    try (Store store = access.openIfThere().orElseThrow()) {
      assertThat(store.counts().blobs()).isEqualTo(1);
    }
  }

  @Test
  void whoComesSecondWaitsAndIsInWhenTheFirstHasLeft() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    List<String> heard = new CopyOnWriteArrayList<>();
    StoreAccess access =
        access(
            WaitingRules.DEFAULTS.withListener(
                holder -> {
                  heard.add(holder);
                  waits.countDown();
                }));
    Store first = access.open();
    Thread leaving =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    waits.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  first.close();
                });
    access.open().close();
    leaving.join();
    assertThat(heard).first().asString().contains("process " + ProcessHandle.current().pid());
  }

  @Test
  void whoDoesNotWantToWaitIsRefusedWithTheHoldersName() {
    try (Store _ = access(WaitingRules.NONE).open()) {
      assertThatThrownBy(access(WaitingRules.NONE)::openExisting)
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid());
    }
  }

  @Test
  void waitingEndsAlthoughNothingChanges() {
    WaitingRules brief = WaitingRules.DEFAULTS.withEach(Duration.ofMillis(120));
    try (Store _ = access(WaitingRules.NONE).open()) {
      assertThatThrownBy(access(brief)::open).isInstanceOf(StoreException.Busy.class);
    }
  }

  @Test
  void anInterruptIsKeptAndEndsNoWaiting() {
    WaitingRules brief = WaitingRules.DEFAULTS.withEach(Duration.ofMillis(120));
    try (Store _ = access(WaitingRules.NONE).open()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(access(brief)::open).isInstanceOf(StoreException.Busy.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void theSocketOfAKilledServiceIsNoServiceAndGoes() throws IOException {
    StoreAccess access = access(WaitingRules.NONE);
    access.open().close();
    SocketFile socket = StoreAccess.socket(access.folder());
    socket.listen(1).close(); // closing leaves the file, as a kill does
    try (Store store = access.openExisting()) {
      assertThat(store).isInstanceOf(LocalStore.class);
      assertThat(socket.exists()).isFalse();
    }
  }

  @Test
  void aSocketThatNobodyListensToLetsNobodyIn() throws IOException {
    StoreAccess access = access(WaitingRules.NONE);
    try (Store _ = access.open()) {
      StoreAccess.socket(access.folder()).listen(1).close();
      assertThatThrownBy(access::openExisting).isInstanceOf(StoreException.Busy.class);
    }
  }

  @Test
  void aSocketIsNoReasonToRefuseANewStoreThere() throws IOException {
    StoreAccess access = access(WaitingRules.NONE);
    Files.createDirectories(access.folder());
    StoreAccess.socket(access.folder()).listen(1).close();
    access.open().close();
    assertThat(access.root()).exists();
  }

  @Test
  void whatIsDerivedIsMadeAgain() {
    StoreAccess access = access(WaitingRules.NONE);
    try (Store store = access.open()) {
      ContextHead context = store.createContext();
      store.append(
          context.id(),
          NewTurn.of(Payload.utf8("a turn"), new DeclaredType("note", 1), Encoding.RAW));
    }
    access.rebuild();
    try (LocalStore store = LocalStore.open(access.folder(), StoreOptions.DEFAULTS)) {
      assertThat(store.check().problems()).isEmpty();
      assertThat(store.counts().turns()).isEqualTo(1);
    }
  }

  @Test
  void whatIsHeldIsNotMadeAgain() {
    try (Store _ = access(WaitingRules.NONE).hold()) {
      assertThatThrownBy(access(WaitingRules.NONE)::rebuild)
          .isInstanceOf(StoreException.Busy.class);
    }
  }
}
