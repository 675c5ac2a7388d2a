// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.files.WholeFile;
import dev.varve.format.Bytes;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.value.IdFormat;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The file of rows: what a start takes from it, and what is deleted unread.
final class RowsKeeperTest {

  private static final RowsKeeper.Rhythm ALWAYS = new RowsKeeper.Rhythm(1, Duration.ZERO);

  @TempDir Path folder;
  private final List<String> said = new ArrayList<>();
  private final Logger logger = Logger.getLogger("dev.varve.server.contexts");
  private final Handler hearing =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          said.add(logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private LocalStore store;
  private ContextIndex index;

  @BeforeEach
  void begin() {
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(hearing);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    for (String word : List.of("apple", "pear", "plum")) {
      Turns.say(
          store, store.createContext().id(), "{'title':'%s','labels':['fruit']}".formatted(word));
    }
    startService();
    assertThat(titled("pear")).containsExactly(2L);
  }

  @AfterEach
  void end() {
    index.close();
    store.close();
    logger.removeHandler(hearing);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  private Path file() {
    return folder.resolve("store").resolve(LocalStore.CONTEXT_ROWS);
  }

  private Path root() {
    return folder.resolve("store").resolve("varve.store");
  }

  private void startService() {
    index = ContextIndex.keeping(store, 100_000_000, new RowsKeeper.Place(file(), root()), ALWAYS);
    index.start();
    index.awaitRows(Duration.ofMinutes(1));
  }

  /// Ends the service and its store, and opens the store again.
  private void endService() {
    index.close();
    store.close();
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
  }

  /// The contexts whose rows came from the file.
  private List<Long> taken() {
    List<Long> taken = new ArrayList<>();
    for (long id = 1; id <= store.counts().contexts(); id++) {
      if (rows().isFresh(id)) {
        taken.add(id);
      }
    }
    return taken;
  }

  private ContextRows rows() {
    ContextRows rows = index.rows();
    assertThat(rows).isNotNull();
    return rows;
  }

  private List<Long> titled(String title) {
    ContextViews views = new ContextViews(store, index, new LiveSessions(), InstantSource.system());
    ContextViews.ContextSearch search =
        new ContextViews.ContextSearch(
            "title = '" + title + "'", 20, null, Duration.ofMinutes(1), IdFormat.TEXT);
    String answer =
        switch (views.search(search)) {
          case ContextViews.SearchResult.Found(var text) -> text.text();
          case ContextViews.SearchResult.Refused(var text) -> throw new AssertionError(text.text());
        };
    return Stream.of(answer.split("\\{\"context_id\":\"", -1))
        .skip(1)
        .map(rest -> Long.parseLong(rest.substring(0, rest.indexOf('"'))))
        .toList();
  }

  private void expectNone(String why) {
    startService();
    assertThat(taken()).as(why).isEmpty();
    assertThat(said).as(why).anyMatch(line -> line.contains("is made again: " + why));
    assertThat(file()).as(why).doesNotExist();
    assertThat(titled("pear")).as(why).containsExactly(2L);
  }

  // ---- what is taken

  @Test
  void aStartTakesAllRows() {
    endService();
    startService();

    assertThat(taken()).containsExactly(1L, 2L, 3L);
    assertThat(titled("pear")).containsExactly(2L);
    assertThat(titled("fig")).isEmpty();
  }

  @Test
  @Timeout(60)
  void theFileIsWrittenWhileTheServiceRuns() {
    while (!Files.exists(file())) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void onlyTheOwnerMayReadTheFile() throws IOException {
    endService();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void aContextThatMovedIsReadAgain() {
    endService();
    store.moveContext(
        new ContextId(2),
        store.head(new ContextId(2)).head(),
        store.head(new ContextId(3)).head(),
        Instant.EPOCH,
        null);
    startService();

    assertThat(taken()).containsExactly(1L, 3L);
    assertThat(titled("plum")).containsExactly(3L, 2L);
  }

  @Test
  void aContextThatWasDescribedIsReadAgain() {
    endService();
    store.describe(new ContextId(1), store.put(Payload.utf8("{\"kind\":\"pi.manifest\"}")));
    startService();

    assertThat(taken()).containsExactly(2L, 3L);
    assertThat(titled("apple")).isEmpty();
  }

  @Test
  void aPatchedTurnIsReadAgain() {
    endService();
    store.patch(
        store.head(new ContextId(3)).head(),
        Payload.utf8("{\"context_metadata\":{\"title\":\"cherry\"}}"));
    startService();

    assertThat(taken()).containsExactly(1L, 2L);
    assertThat(titled("cherry")).containsExactly(3L);
    assertThat(titled("plum")).isEmpty();
  }

  @Test
  void aForkWithoutWordsOfItsOwnIsReadAgainAfterAnyPatch() {
    store.fork(store.head(new ContextId(1)).head());
    assertThat(titled("apple")).containsExactly(4L, 1L);
    endService();
    store.patch(
        store.head(new ContextId(1)).head(),
        Payload.utf8("{\"context_metadata\":{\"title\":\"cherry\"}}"));
    startService();

    assertThat(taken()).containsExactly(2L, 3L);
    assertThat(titled("cherry")).containsExactly(4L, 1L);
  }

  @Test
  void aContextThatBeganAgainHasTheMetadataOfItsNewFirstTurn() {
    Payload other = Payload.utf8("{\"context_metadata\":{\"title\":\"fig\"}}");
    NewTurn root = NewTurn.of(other, Turns.ITEM, Encoding.JSON).withParent(TurnId.NONE);
    Turn said = store.append(new ContextId(2), root);
    index.on(new ServerEvent.TurnAppended(said, null));

    assertThat(titled("fig")).containsExactly(2L);
    endService();
    startService();
    assertThat(titled("fig")).containsExactly(2L);
    assertThat(titled("pear")).isEmpty();
  }

  /// The overlay comes after the rows of the file were compared with those of the store.
  @Test
  void anOverlayWhileTheFileIsReadCounts() {
    endService();
    TurnId turn = store.head(new ContextId(3)).head();
    AtomicBoolean patching = new AtomicBoolean();
    index =
        keeping(
            () -> {
              if (patching.getAndSet(false)) {
                long seq = store.tombstone(turn);
                index.on(new ServerEvent.TurnOverlaid(turn, seq, Overlay.Kind.TOMBSTONE));
              }
            });
    patching.set(true);
    index.start();
    index.awaitRows(Duration.ofMinutes(1));

    assertThat(patching).isFalse();
    assertThat(taken()).containsExactly(1L, 2L);
    assertThat(titled("plum")).isEmpty();
  }

  /// An index of the store, of which something happens after each counting.
  private ContextIndex keeping(Runnable afterCounts) {
    Object counting =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Store.class, StorageFacts.class},
            (_, method, values) -> {
              Object result = method.invoke(store, values);
              if (method.getName().equals("counts")) {
                afterCounts.run();
              }
              return result;
            });
    return ContextIndex.keeping(
        (Store & StorageFacts) counting, 100_000_000, new RowsKeeper.Place(file(), root()), ALWAYS);
  }

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

  // ---- what is not

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
    endService();
    Path copy = folder.resolve("copy");
    store.close();
    copy(folder.resolve("store"), copy);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    startService();
    TurnId lost = store.head(new ContextId(3)).head();
    Payload other = Payload.utf8("{\"context_metadata\":{\"title\":\"cherry\"}}");
    index.on(new ServerEvent.TurnOverlaid(lost, store.patch(lost, other), Overlay.Kind.PATCH));
    assertThat(titled("cherry")).containsExactly(3L);
    index.close();
    store.close();
    byte[] newer = Files.readAllBytes(file());

    copy(copy, folder.resolve("store"));
    Files.write(file(), newer);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    store.patch(store.head(new ContextId(1)).head(), other);

    expectNone("of another history");
    assertThat(titled("cherry")).containsExactly(1L);
    assertThat(titled("plum")).containsExactly(3L);
  }

  @Test
  void theFileOfALaterMomentIsDeleted() throws IOException {
    endService();
    store.close();
    Path copy = folder.resolve("copy");
    copy(folder.resolve("store"), copy);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);
    startService();
    Turn more = Turns.say(store, store.createContext().id(), "{'title':'fig'}");
    index.on(new ServerEvent.TurnAppended(more, null));
    assertThat(titled("fig")).containsExactly(4L);
    index.close();
    store.close();
    byte[] newer = Files.readAllBytes(file());
    copy(copy, folder.resolve("store"));
    Files.write(file(), newer);
    store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS);

    expectNone("of another history");
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

  // ---- erasures

  private int erase() {
    EraseRequest request = new EraseRequest(Set.of(new ContextId(2)), Set.of(), List.of());
    BlobHash digest = store.erasures().plan(request, ReadProgress.NONE).digest();
    EraseReceipt receipt = store.erasures().erase(request, digest, ReadProgress.NONE);
    return receipt.run();
  }

  private boolean hasWord(String word) throws IOException {
    return Files.exists(file())
        && new String(Files.readAllBytes(file()), ISO_8859_1).contains(word);
  }

  @Test
  void noErasedWordIsInTheFileOfAService() throws IOException {
    endService();
    assertThat(hasWord("pear")).isTrue();
    startService();
    index.on(new ServerEvent.BlobsErased(erase()));

    assertThat(file()).doesNotExist();
    assertThat(titled("pear")).isEmpty();
    assertThat(titled("plum")).containsExactly(3L);
    endService();
    assertThat(hasWord("plum")).isTrue();
    assertThat(hasWord("pear")).isFalse();
    startService();
    assertThat(taken()).contains(1L, 3L);
  }

  @Test
  void anErasureWithoutAServiceDeletesTheFile() throws IOException {
    endService();
    Path draft = folder.resolve("store").resolve(".varve-00000001-00000002.part");
    Files.copy(file(), draft); // of a process that was killed while it wrote
    int run = erase();

    assertThat(run).isEqualTo(1);
    assertThat(file()).doesNotExist();
    assertThat(draft).doesNotExist();
    startService();
  }

  @Test
  void aFileFromBeforeAnErasureIsDeleted() throws IOException {
    endService();
    byte[] former = Files.readAllBytes(file());
    erase();
    Files.write(file(), former);
    startService();

    assertThat(taken()).isEmpty();
    assertThat(file()).doesNotExist();
  }

  /// The service hears of the erasure between the last row and the moment at which the file takes
  /// its place.
  @Test
  void aFileThatIsWrittenDuringAnErasureNeverTakesItsPlace() {
    endService();
    WholeFile.at(file()).delete();
    AtomicBoolean erasing = new AtomicBoolean();
    index =
        keeping(
            () -> {
              if (erasing.getAndSet(false)) {
                index.on(new ServerEvent.BlobsErased(erase()));
              }
            });
    index.start();
    index.awaitRows(Duration.ofMinutes(1));
    erasing.set(true);
    assertThat(titled("pear")).containsExactly(2L);
    index.close();

    assertThat(erasing).isFalse();
    assertThat(file()).doesNotExist();
  }

  /// The service is killed before it hears of the erasure.
  @Test
  void aFileThatIsWrittenAfterAnErasureIsOfTheFormerStore() {
    endService();
    WholeFile.at(file()).delete();
    startService();
    assertThat(titled("pear")).containsExactly(2L);
    erase();
    endService();
    startService();

    assertThat(taken()).isEmpty();
    assertThat(file()).doesNotExist();
  }
}
