// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.format.Bytes;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import dev.varve.server.events.ServerEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The file of rows when it is damaged, of another store, or of another moment: deleted unread.
final class RowsDamageTest extends RowsFixture {
  @Test
  void damagedContentIsNotKept() throws IOException {
    endService();
    Files.delete(file());
    Path pack = folder.resolve("store").resolve("blobs.pack");
    byte[] more = new byte[50_000]; // an opening mends the end of the file
    new Random(1).nextBytes(more);
    store.put(Payload.wrap(more));
    store.close();
    byte[] whole = Files.readAllBytes(pack);
    byte[] damaged = whole.clone();
    int changed = 0;
    byte[] hash =
        hash("{\"context_metadata\":{\"title\":\"plum\",\"labels\":[\"fruit\"]}}").bytes();
    for (int at = 0; at < damaged.length - hash.length; at++) {
      if (Arrays.equals(damaged, at, at + hash.length, hash, 0, hash.length)) {
        damaged[at + 32] ^= 1;
        changed++;
      }
    }
    assertThat(changed).isEqualTo(1);
    Files.write(pack, damaged);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    startService();
    assertThat(titled("plum")).isEmpty();
    index.close();
    store.close();
    Files.write(pack, whole);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    startService();

    assertThat(taken()).containsExactly(1L, 2L);
    assertThat(titled("plum")).containsExactly(3L);
  }

  private static BlobHash hash(String text) {
    return Blake3.hash(text.getBytes(UTF_8));
  }

  @Test
  void eachDamageIsNoticed() throws IOException {
    endService();
    byte[] whole = Files.readAllBytes(file());
    List<byte[]> damages = new ArrayList<>();
    Bytes.eachDamaged(whole, damages::add);
    for (int length = 0; length < whole.length; length += 7) {
      damages.add(Arrays.copyOf(whole, length));
    }
    damages.add(Arrays.copyOf(whole, whole.length + 84));
    for (byte[] damaged : damages) {
      Files.write(file(), damaged);
      ContextIndex started =
          ContextIndex.keeping(store, 100_000_000, new RowsKeeper.Place(file(), root()), ALWAYS);
      started.start();
      started.awaitRows(Duration.ofMinutes(1));
      assertThat(started.rows().greatest()).isZero();
      started.close();
      assertThat(file()).doesNotExist();
    }
  }

  /// A file with a right checksum, of which any number may be wrong all the same.
  @Test
  void numbersThatLeadNowhereAreNoticed() throws IOException {
    endService();
    byte[] whole = Files.readAllBytes(file());
    for (int at = 56; at + 4 <= whole.length - 72; at += 4) {
      for (int value : new int[] {-1, Integer.MAX_VALUE, 1 << 29}) {
        byte[] other = whole.clone();
        ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        byte[] hash = Blake3.hash(Arrays.copyOf(other, other.length - 32)).bytes();
        System.arraycopy(hash, 0, other, other.length - 32, 32);
        Files.write(file(), other);
        startService();
        assertThat(titled("fig")).isEmpty(); // whatever is taken, nothing fails
        index.close();
      }
    }
    startService();
  }

  @Test
  void theFileOfAnotherStoreIsDeleted() throws IOException {
    try (LocalStore other = LocalStore.open(folder.resolve("other"), StoreOptions.DEFAULTS)) {
      Turns.say(other, other.createContext().id(), "{'title':'pear'}");
      Path foreign = folder.resolve("other").resolve(LocalStore.CONTEXT_ROWS);
      Path itsRoot = folder.resolve("other").resolve("varve.store");
      try (ContextIndex another =
          ContextIndex.keeping(
              other, 100_000_000, new RowsKeeper.Place(foreign, itsRoot), ALWAYS)) {
        another.start();
        another.awaitRows(Duration.ofMinutes(1));
        another.lineage(Duration.ofMinutes(1));
      }
      endService();
      Files.move(foreign, file(), StandardCopyOption.REPLACE_EXISTING);
    }

    expectNone("of another store");
  }

  @Test
  void theFileOfALaterVersionIsDeleted() throws IOException {
    endService();
    byte[] later = Files.readAllBytes(file());
    later[8] = 2;
    Files.write(file(), later);

    expectNone("version 2");
  }

  /// The folder has an older store than the file, and went on differently since: as many turns and
  /// overlays, and every head where it was.
  @Test
  void theFileOfAnotherHistoryIsDeleted() throws IOException {
    Path copy = copyOfStore();
    TurnId lost = store.head(new ContextId(3)).head();
    Payload other = Payload.utf8("{\"context_metadata\":{\"title\":\"cherry\"}}");
    index.on(new ServerEvent.TurnOverlaid(lost, store.patch(lost, other), Overlay.Kind.PATCH));
    assertThat(titled("cherry")).containsExactly(3L);

    goBackTo(copy);
    store.patch(store.head(new ContextId(1)).head(), other);

    expectNone("of another history");
    assertThat(titled("cherry")).containsExactly(1L);
    assertThat(titled("plum")).containsExactly(3L);
  }

  @Test
  void theFileOfALaterMomentIsDeleted() throws IOException {
    Path copy = copyOfStore();
    Turn more = Turns.say(store, store.createContext().id(), "{'title':'fig'}");
    index.on(new ServerEvent.TurnAppended(more, null));
    assertThat(titled("fig")).containsExactly(4L);
    goBackTo(copy);

    expectNone("of another history");
  }

  /// The store as it is now, with the file of rows; the service goes on.
  private Path copyOfStore() throws IOException {
    endService();
    store.close();
    Path copy = folder.resolve("copy");
    copy(folder.resolve("store"), copy);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    startService();
    return copy;
  }

  /// Ends the service, and opens the former store beside the file of the later one.
  private void goBackTo(Path copy) throws IOException {
    index.close();
    store.close();
    byte[] newer = Files.readAllBytes(file());
    copy(copy, folder.resolve("store"));
    Files.write(file(), newer);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(
            file, to.resolve(file.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
