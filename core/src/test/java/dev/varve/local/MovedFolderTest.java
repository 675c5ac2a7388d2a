// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.contract.AgreedErasure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An open store whose folder is moved away, with another store made in the folder's place.
final class MovedFolderTest {

  @TempDir Path temporary;

  private static BlobHash say(LocalStore store, String text) {
    ContextId context = store.createContext().id();
    return store.append(context, turn(text)).payloadHash();
  }

  private static NewTurn turn(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.RAW);
  }

  private static void demandSound(Path folder, BlobHash... blobs) {
    try (LocalStore store = LocalStore.openExisting(folder, StoreOptions.DEFAULTS)) {
      assertThat(store.check().sound()).isTrue();
      assertThat(List.of(blobs)).allMatch(store::has);
    }
  }

  private static void demandRefusal(ThrowingCallable use) {
    assertThatThrownBy(use)
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("no longer the folder that was opened");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void neitherAnErasureNorTheClosingTouchesTheOtherStore(boolean erases) throws IOException {
    Path folder = temporary.resolve("s");
    Path moved = temporary.resolve("moved");
    LocalStore first = LocalStore.open(folder, StoreOptions.DEFAULTS);
    BlobHash old = say(first, "old");
    Files.move(folder, moved);
    BlobHash other;
    try (LocalStore second = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      other = say(second, "other");

      if (erases) {
        EraseRequest request = new EraseRequest(Set.of(), Set.of(old), List.of());
        demandRefusal(() -> AgreedErasure.in(first, request));
      }
      demandRefusal(first::close); // what was acknowledged is in the journal
    }

    demandSound(folder, other);
    demandSound(moved, old);
  }
}
