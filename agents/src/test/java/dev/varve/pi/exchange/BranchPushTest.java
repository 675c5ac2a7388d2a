// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.pi.branch.BranchIndex;
import dev.varve.pi.branch.BranchPublication;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BranchPushTest {

  @TempDir Path folder;

  @Test
  void onlyWhatIsMissingTravelsRootFirstAndSessionsBeforeSidecars() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      server.put(Files.readAllBytes(travellers.root()));
      List<String> sent =
          travellers.chain().parcels().stream().skip(1).map(p -> "PUT " + p.hash()).toList();

      BranchPush.Report first = new BranchPush(target, _ -> {}).chain(travellers.chain());
      BranchPush.Report again = new BranchPush(target, _ -> {}).chain(travellers.chain());

      assertThat(server.asked.subList(1, server.asked.size() - 1)).isEqualTo(sent);
      assertThat(first.blobsSent()).isEqualTo(5);
      assertThat(again).isEqualTo(new BranchPush.Report(6, 0, 0));
    }
  }

  @Test
  void aServerCannotAskForWhatNobodyMeantToSend() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      BlobHash other = new BlobHash(1, 2, 3, 4);
      server.missing = "{\"missing\":[\"" + other + "\"]}";

      assertThat(target.missing(List.of(travellers.branch()))).isEmpty();
    }
  }

  @Test
  void aRefusalIsTold() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      OutgoingBlob wrong =
          new OutgoingBlob(
              travellers.branch(),
              1,
              () -> new ByteArrayInputStream("x".getBytes(StandardCharsets.UTF_8)));
      BranchChain chain = new BranchChain(travellers.branch(), List.of(wrong), Optional.empty());

      assertThatThrownBy(() -> new BranchPush(target, _ -> {}).chain(chain))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("422");
    }
  }

  private static BranchPush.Report verified(BlobTarget target, Travellers travellers) {
    return new BranchPush(target, _ -> {}, _ -> {}, true).chain(travellers.chain());
  }

  /// A server that says to have everything, and is wrong in each way that a reader notices.
  @Test
  void whatAServerReadsBackIsCheckedAndSentAgain() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      server.missing = "{\"missing\":[]}";
      assertThat(verified(target, travellers).blobsSent()).as("none is there").isEqualTo(6);
      assertThat(verified(target, travellers).blobsSent()).isZero();

      String session = travellers.session().toString();
      byte[] whole = server.blobs.get(session);
      server.blobs.put(session, Arrays.copyOf(whole, whole.length - 1));
      assertThat(verified(target, travellers).blobsSent()).as("it is cut").isEqualTo(1);
      byte[] others = whole.clone();
      others[7] ^= 1;
      server.blobs.put(session, others);
      assertThat(verified(target, travellers).blobsSent()).as("it has other bytes").isEqualTo(1);
      assertThat(server.blobs.get(session)).isEqualTo(whole);

      server.breaksAfter = 60;
      assertThat(verified(target, travellers).blobsSent()).as("it breaks off").isEqualTo(6);
      server.breaksAfter = Integer.MAX_VALUE;
      server.status = 500;
      assertThat(verified(target, travellers).blobsSent()).as("it is not read").isEqualTo(6);
    }
  }

  @Test
  void aServerThatLetsNobodyReadIsNotSentEverythingAgain() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      verified(target, travellers);
      server.status = 403;

      assertThatThrownBy(() -> verified(target, travellers))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("403");
    }
  }

  @Test
  void aFolderOfBlobsIsATargetAndASource() throws IOException {
    Travellers travellers = Travellers.in(folder);
    FolderBlobs stick = new FolderBlobs(folder.resolve("stick"));

    assertThat(new BranchPush(stick, _ -> {}).chain(travellers.chain()).blobsSent()).isEqualTo(6);
    assertThat(new BranchPush(stick, _ -> {}).chain(travellers.chain()).blobsSent()).isZero();
    try (Store store = travellers.store()) {
      assertThat(travellers.get(stick, store).branch(travellers.branch()).complete()).isTrue();
    }
    assertThat(folder.resolve("stick/v1/blobs/" + travellers.session()))
        .hasSameBinaryContentAs(travellers.forkOfFork());
  }

  @Test
  void aDamagedBlobOfAFolderIsSentAgainAndReplaced() throws IOException {
    Travellers travellers = Travellers.in(folder);
    Path stick = folder.resolve("stick");
    try (FolderBlobs target = new FolderBlobs(stick)) {
      new BranchPush(target, _ -> {}).chain(travellers.chain());
      Path emptied = stick.resolve("v1/blobs/" + travellers.chain().parcels().getFirst().hash());
      Path flipped = stick.resolve("v1/blobs/" + travellers.branch());
      Files.write(emptied, new byte[0]);
      byte[] bytes = Files.readAllBytes(flipped);
      bytes[3] ^= 1;
      Files.write(flipped, bytes);

      BranchPush.Report again = new BranchPush(target, _ -> {}).chain(travellers.chain());

      assertThat(again.blobsSent()).isEqualTo(2);
      assertThat(new BranchPush(target, _ -> {}).chain(travellers.chain()).blobsSent()).isZero();
    }
  }

  @Test
  void aSessionThatIsRewrittenMeanwhileIsNotLeftUnderAWrongName() throws IOException {
    Travellers travellers = Travellers.in(folder);
    BranchChain chain = travellers.chain();
    Files.writeString(
        travellers.forkOfFork(), Files.readString(travellers.forkOfFork()).replace('t', 'T'));
    FolderBlobs stick = new FolderBlobs(folder.resolve("stick"));

    assertThatThrownBy(() -> new BranchPush(stick, _ -> {}).chain(chain))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThat(stick.missing(List.of(travellers.session(), travellers.branch()))).hasSize(2);
  }

  @Test
  void aChainOfTheStoreIsThatOfTheFiles() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (Store store = travellers.store()) {
      new BranchPublication(store, new BranchIndex(folder.resolve("manifest.json")))
          .add(travellers.lineage());

      BranchChain ofStore = BranchChain.of(travellers.branch(), store);

      assertThat(ofStore.parcels())
          .extracting(OutgoingBlob::hash)
          .isEqualTo(travellers.chain().parcels().stream().map(OutgoingBlob::hash).toList());
      assertThat(ofStore.missing()).isEmpty();
    }
  }

  /// Who takes it may be slow: others have the store meanwhile.
  @Test
  void theStoreIsNotHeldWhileItsBlobsAreSent() throws IOException {
    Travellers travellers = Travellers.in(folder);
    Path copies = folder.resolve("copies");
    try (Store store = travellers.store();
        BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      new BranchPublication(store, new BranchIndex(folder.resolve("manifest.json")))
          .add(travellers.lineage());
      WatchedVisits visits = new WatchedVisits(store);
      List<Boolean> heldWhileRead = new ArrayList<>();
      BlobTarget watching =
          new BlobTarget() {
            @Override
            public Set<BlobHash> missing(List<BlobHash> hashes) throws IOException {
              heldWhileRead.add(visits.held());
              return target.missing(hashes);
            }

            @Override
            public void put(OutgoingBlob parcel) throws IOException {
              try (InputStream in = parcel.contents().open()) {
                heldWhileRead.add(visits.held());
                assertThat(Blake3.hash(in.readAllBytes())).isEqualTo(parcel.hash());
              }
              target.put(parcel);
            }

            @Override
            public Optional<BlobSource.Rest> open(BlobHash hash, long offset) throws IOException {
              return target.open(hash, offset);
            }

            @Override
            public String describe() {
              return target.describe();
            }

            @Override
            public void close() {}
          };

      new BranchPush(watching, _ -> {}).chain(BranchChain.of(travellers.branch(), visits, copies));

      assertThat(heldWhileRead).hasSize(7).containsOnly(false);
      assertThat(server.blobs).hasSize(6);
      try (var left = Files.list(copies)) {
        assertThat(left).as("copies").isEmpty();
      }
    }
  }
}
