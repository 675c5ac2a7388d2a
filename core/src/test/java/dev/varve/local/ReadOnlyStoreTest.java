// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyStoreTest {

  @TempDir private Path folder;
  private ContextId context;
  private Turn last;

  @BeforeEach
  void aStoreThatWasClosedInOrder() {
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      context = store.createContext().id();
      store.append(context, turn("one"));
      last = store.append(context, turn("two"));
    }
  }

  private static NewTurn turn(String text) {
    return NewTurn.of(Payload.of(text.getBytes(UTF_8)), new DeclaredType("test", 1), Encoding.JSON);
  }

  private TreeMap<String, String> image() throws IOException {
    TreeMap<String, String> image = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        image.put(
            file.getFileName().toString(),
            Files.getLastModifiedTime(file) + " " + Blake3.hash(Files.readAllBytes(file)));
      }
    }
    return image;
  }

  @Test
  void everythingCanBeReadAndNothingChanges() throws IOException {
    TreeMap<String, String> before = image();

    try (LocalStore store = LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS)) {
      assertThat(store.last(context, 10, View.AS_WRITTEN).turns()).hasSize(2);
      assertThat(store.contexts(null, 10)).hasSize(1);
      assertThat(
              store.findChild(store.turn(last.id(), View.AS_WRITTEN).parent(), last.payloadHash()))
          .contains(last.id());
      assertThat(store.check().problems()).isEmpty();
      assertThat(store.counts().turns()).isEqualTo(2);
    }

    assertThat(image()).isEqualTo(before);
  }

  @Test
  void whatWritesIsRefused() throws IOException {
    TreeMap<String, String> before = image();

    try (LocalStore store = LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS)) {
      assertThatThrownBy(() -> store.append(context, turn("three")))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("opened for reading only");
      assertThatThrownBy(store::createContext).isInstanceOf(StoreException.Io.class);
    }

    assertThat(image()).isEqualTo(before);
  }

  @Test
  void severalMayReadAndThenNobodyWrites() {
    try (LocalStore one = LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS);
        LocalStore two = LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS)) {
      assertThat(one.head(context)).isEqualTo(two.head(context));
    }
    try (LocalStore writer = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      assertThat(writer.head(context).head()).isEqualTo(last.id());
      assertThatThrownBy(() -> LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS))
          .isInstanceOf(StoreException.Busy.class);
    }
  }

  @Test
  void whatHasToBeRecoveredIsRefusedWithAWord(@TempDir Path copy) throws IOException {
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      store.append(context, turn("three"));
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(f -> !f.endsWith(LocalStore.LOCK)).toList()) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
    }

    assertThatThrownBy(() -> LocalStore.openReadOnly(copy, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("not closed in order");
  }

  @Test
  void aLookupThatIsMissingIsMadeInMemory() throws IOException {
    Files.delete(folder.resolve("blobs.map"));
    TreeMap<String, String> before = image();

    try (LocalStore store = LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS)) {
      assertThat(store.last(context, 10, View.AS_WRITTEN).turns()).hasSize(2);
      assertThat(store.has(last.payloadHash())).isTrue();
    }
    assertThat(image()).isEqualTo(before);
  }

  @Test
  void whatWouldHaveToBeWrittenIsNamed() throws IOException {
    Files.delete(folder.resolve("heads.tbl"));
    TreeMap<String, String> before = image();

    assertThatThrownBy(() -> LocalStore.openReadOnly(folder, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("heads.tbl");
    assertThat(image()).isEqualTo(before);
  }

  @Test
  void anAbsentStoreIsNotMade(@TempDir Path empty) {
    assertThatThrownBy(() -> LocalStore.openReadOnly(empty, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.NoStore.class);
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void whereNoStoreIsIsToldFromWhereNoneCanBe(@TempDir Path parent) throws IOException {
    Path file = Files.writeString(parent.resolve("file"), "x");

    assertNoStore(parent.resolve("absent"), "no such folder", true);
    assertNoStore(file, "not a folder", false);
    assertNoStore(parent, "no varve.store, but other files", false);
    assertNoStore(Files.createDirectory(parent.resolve("empty")), "no varve.store", true);
  }

  private static void assertNoStore(Path place, String found, boolean vacant) {
    assertThatThrownBy(() -> LocalStore.openExisting(place, StoreOptions.DEFAULTS))
        .isInstanceOfSatisfying(
            StoreException.NoStore.class, none -> assertThat(none.vacant()).isEqualTo(vacant))
        .hasMessageEndingWith(found);
  }
}
