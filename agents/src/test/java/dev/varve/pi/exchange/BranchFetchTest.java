// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.pi.branch.Sidecar;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BranchFetchTest {

  @TempDir Path folder;

  private Travellers travellers;
  private BlobServer server;
  private HttpBlobs source;
  private Store store;

  @BeforeEach
  void open() throws IOException {
    travellers = Travellers.in(folder);
    server = new BlobServer();
    source = new HttpBlobs(server.address(), "");
    store = travellers.store();
    new BranchPush(source, _ -> {}).chain(travellers.chain());
    server.asked.clear();
  }

  @AfterEach
  void close() {
    store.close();
    source.close();
    server.close();
  }

  private FetchResult get() {
    return travellers.get(source, store).branch(travellers.branch());
  }

  private void demandNothingLeft() {
    try (var files = Files.list(travellers.incoming())) {
      assertThat(files).as("parts").isEmpty();
    } catch (IOException e) {
      assertThat(travellers.incoming()).doesNotExist();
    }
  }

  private byte[] stored(BlobHash hash) throws IOException {
    try (InputStream in = store.read(hash)) {
      return in.readAllBytes();
    }
  }

  @Test
  void aBranchComesWithItsWholeLine() throws IOException {
    FetchResult got = get();

    assertThat(got.complete()).isTrue();
    assertThat(got.links())
        .hasSize(3)
        .first()
        .extracting(FetchResult.Link::hash)
        .isEqualTo(travellers.branch());
    assertThat(got.blobsNew()).isEqualTo(6);
    assertThat(stored(travellers.rootSession())).isEqualTo(Files.readAllBytes(travellers.root()));
    assertThat(stored(travellers.session())).isEqualTo(Files.readAllBytes(travellers.forkOfFork()));
    demandNothingLeft();
  }

  @Test
  void whatIsHereIsNotAskedFor() throws IOException {
    get();
    server.asked.clear();

    assertThat(get().blobsNew()).isZero();
    assertThat(server.asked).isEmpty();

    Path grown =
        Files.writeString(
            travellers.forkOfFork(), Files.readString(travellers.forkOfFork()) + "more\n");
    var lineage = Travellers.lineage(grown);
    new BranchPush(source, _ -> {}).chain(BranchChain.of(lineage));
    server.asked.clear();
    FetchResult next = travellers.get(source, store).branch(lineage.hash());
    assertThat(next.links()).hasSize(3);
    assertThat(server.asked).as("the new sidecar and session").hasSize(2);
  }

  @Test
  void whatBrokeOffGoesOn() throws IOException {
    server.breaksAfter = 600_000;
    FetchResult first = get(); // the large one is the root: a parent
    assertThat(first.end()).isInstanceOf(FetchResult.End.Failed.class);
    assertThat(first.links()).hasSize(2);
    Path part = travellers.incoming().resolve(travellers.rootSession() + ".part");
    long here = Files.size(part);
    assertThat(here).isPositive().isLessThanOrEqualTo(600_000);
    server.breaksAfter = Integer.MAX_VALUE;
    server.asked.clear();

    FetchResult second = get();

    assertThat(second.complete()).isTrue();
    assertThat(server.asked).contains("GET " + travellers.rootSession() + " bytes=" + here + "-");
    assertThat(second.bytesReceived()).isLessThan(Files.size(travellers.root()) - here + 1_000);
    assertThat(stored(travellers.rootSession())).isEqualTo(Files.readAllBytes(travellers.root()));
    demandNothingLeft();
  }

  @Test
  void aWrongBeginningIsFetchedAgain() throws IOException {
    Files.createDirectories(travellers.incoming());
    Files.write(travellers.incoming().resolve(travellers.rootSession() + ".part"), new byte[5_000]);
    byte[] tooMuch = new byte[(int) Files.size(travellers.forkOfFork()) + 10];
    Files.write(travellers.incoming().resolve(travellers.session() + ".part"), tooMuch);

    assertThat(get().complete()).isTrue();
    assertThat(stored(travellers.rootSession())).isEqualTo(Files.readAllBytes(travellers.root()));
    demandNothingLeft();
  }

  /// A source may be as slow as it likes: others have the store meanwhile.
  @Test
  void theStoreIsNotHeldWhileTheSourceIsAsked() {
    WatchedVisits visits = new WatchedVisits(store);
    List<Boolean> heldWhileAsked = new ArrayList<>();
    BlobSource watching =
        new BlobSource() {
          @Override
          public Optional<Rest> open(BlobHash hash, long offset) throws IOException {
            heldWhileAsked.add(visits.held());
            return source.open(hash, offset);
          }

          @Override
          public String describe() {
            return source.describe();
          }

          @Override
          public void close() {}
        };

    BranchFetch get =
        new BranchFetch(
            watching,
            visits,
            travellers.incoming(),
            Travellers.budget(1 << 30),
            _ -> heldWhileAsked.add(visits.held()));

    assertThat(get.branch(travellers.branch()).complete()).isTrue();
    assertThat(heldWhileAsked).hasSizeGreaterThan(6).containsOnly(false);
  }

  @Test
  void whatIsHereWholeButCouldNotBeKeptIsNotAskedForAgain() {
    WatchedVisits busy =
        new WatchedVisits(store) {
          @Override
          public <T> T ask(Function<Store, T> question) {
            if (server.asked.size() == 2) { // the session is here
              throw new StoreException.Busy("store", "somebody");
            }
            return super.ask(question);
          }
        };
    BranchFetch first =
        new BranchFetch(source, busy, travellers.incoming(), Travellers.budget(1 << 30), _ -> {});
    assertThatThrownBy(() -> first.branch(travellers.branch()))
        .isInstanceOf(StoreException.Busy.class);
    server.asked.clear();

    assertThat(get().complete()).isTrue();
    assertThat(server.asked).noneMatch(asked -> asked.contains(travellers.session().toString()));
    demandNothingLeft();
  }

  // ---- hostile

  @Test
  void otherBytesAreNeverKept() {
    server.blobs.put(
        travellers.session().toString(), "other bytes".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(this::get)
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining(travellers.session().toString());
    assertThat(store.has(travellers.branch())).as("no sidecar without its session").isFalse();
    assertThat(store.counts().blobs()).isZero();
    demandNothingLeft();
  }

  @Test
  void aSidecarThatIsNoneIsRefused() throws IOException {
    BlobHash noSidecar = server.put("{}".getBytes(StandardCharsets.UTF_8));
    BlobHash large = server.put(Files.readAllBytes(travellers.root()));

    for (BlobHash hash : new BlobHash[] {noSidecar, large}) {
      assertThatThrownBy(() -> travellers.get(source, store).branch(hash))
          .isInstanceOf(StoreException.Corrupt.class);
    }
    assertThat(store.counts().blobs()).isZero();
  }

  @Test
  void aBranchIsOfUseWithoutItsParents() {
    server.blobs.remove(travellers.parent().toString());

    FetchResult got = get();

    assertThat(got.links()).hasSize(1);
    assertThat(got.end())
        .isEqualTo(new FetchResult.End.Missing(travellers.parent(), travellers.parent()));
    assertThat(store.has(travellers.session())).isTrue();
  }

  @Test
  void aParentWithOtherBytesIsToldAndNotKept() {
    server.blobs.put(travellers.rootSession().toString(), new byte[] {1, 2, 3});

    FetchResult got = get();

    assertThat(got.links()).hasSize(2);
    assertThat(got.end()).isInstanceOf(FetchResult.End.Failed.class);
    assertThat(store.has(travellers.rootSession())).isFalse();
    demandNothingLeft();
  }

  @Test
  void bytesAndTimeAreBounded() {
    TransferBudget few = Travellers.budget(100_000);
    FetchResult got = travellers.get(source, store, few).branch(travellers.branch());
    assertThat(got.end())
        .isInstanceOfSatisfying(
            FetchResult.End.Failed.class, end -> assertThat(end.why()).contains("bytes received"));

    TransferBudget late = new TransferBudget(1 << 30, Instant.EPOCH, Travellers.CLOCK);
    BlobHash other = travellers.lineage().rootFirst().getFirst().hash();
    assertThatThrownBy(() -> travellers.get(source, store, late).branch(other))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessageContaining("time");
  }

  /// Each names the next by a hash that cannot be known before, so no source can send a circle; but
  /// a long line can be made.
  @Test
  void theLineOfParentsIsBounded() {
    BlobHash src = server.put("x".getBytes(StandardCharsets.UTF_8));
    BlobHash tip = server.put(sidecar(src, null));
    for (int i = 0; i < 40; i++) {
      tip = server.put(sidecar(src, tip));
    }
    TransferBudget budget = new TransferBudget(1 << 30, Instant.MAX, Travellers.CLOCK, 40);

    FetchResult got = travellers.get(source, store, budget).branch(tip);

    assertThat(got.links()).hasSize(40);
    assertThat(got.end())
        .isInstanceOfSatisfying(
            FetchResult.End.Failed.class, end -> assertThat(end.why()).contains("line of parents"));
  }

  private static byte[] sidecar(BlobHash src, @Nullable BlobHash parent) {
    return new Sidecar(src, parent).payload().bytes();
  }

  @Test
  void whoRefusesAndDoesNotEndIsGivenUp() {
    server.status = 599; // with a body that stalls

    try (HttpBlobs impatient = new HttpBlobs(server.address(), "", null, Duration.ofMillis(700))) {
      assertThatThrownBy(() -> travellers.get(impatient, store).branch(travellers.branch()))
          .isInstanceOf(StoreException.Io.class);
    }
  }

  @Test
  void whoSaysNothingIsGivenUp() {
    server.stallsAfter = 10;

    try (HttpBlobs impatient = new HttpBlobs(server.address(), "", null, Duration.ofMillis(700))) {
      assertThatThrownBy(() -> travellers.get(impatient, store).branch(travellers.branch()))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("too long");
    }
  }

  /// Each byte comes in time; all together take too long.
  @Test
  void aSidecarThatComesByteByByteIsWithinTheBudgetToo() {
    int[] asked = new int[1];
    InstantSource clock = () -> Instant.EPOCH.plusSeconds(asked[0]++);
    TransferBudget budget = new TransferBudget(1 << 30, Instant.EPOCH.plusSeconds(50), clock);
    BlobSource slow =
        new BlobSource() {
          @Override
          public Optional<Rest> open(BlobHash hash, long offset) {
            return Optional.of(new Rest(new Drip(), 0));
          }

          @Override
          public String describe() {
            return "slow";
          }

          @Override
          public void close() {}
        };

    assertThatThrownBy(() -> travellers.get(slow, store, budget).branch(travellers.branch()))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessageContaining("time");
  }

  private static final class Drip extends InputStream {
    @Override
    public int read() {
      return 'x';
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      bytes[from] = 'x';
      return 1;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 307, 401, 403, 500, 206, 204})
  void noOtherAnswerIsTakenForABlob(int status) {
    server.status = status;

    assertThatThrownBy(this::get).isInstanceOf(StoreException.Io.class);
    assertThat(server.asked).as("no redirect is followed").hasSize(1);
  }

  @Test
  void aTokenIsSentToItsServer() {
    server.token = "secret";

    assertThatThrownBy(this::get)
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("token");
    try (HttpBlobs with = new HttpBlobs(server.address(), "secret")) {
      assertThat(travellers.get(with, store).branch(travellers.branch()).complete()).isTrue();
    }
  }

  @Test
  void whatNobodyHasIsNotFound() {
    BlobHash unknown = travellers.lineage().branch().content().hash();

    assertThatThrownBy(
            () -> travellers.get(source, store).branch(new BlobHash(1, 2, 3, unknown.w3())))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ftp://x", "http://", "http://a b", "http://u:p@h", "http://h?q=1", "h:9010"})
  void anAddressIsOneOfAServer(String address) {
    assertThatThrownBy(() -> new HttpBlobs(address, "")).isInstanceOf(StoreException.Invalid.class);
  }
}
