// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.branch.BranchIndex;
import dev.varve.branch.Publication;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PushTest {

  @TempDir Path folder;

  @Test
  void onlyWhatIsMissingTravelsRootFirstAndSessionsBeforeSidecars() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      server.put(Files.readAllBytes(travellers.root()));
      List<String> sent =
          travellers.chain().parcels().stream().skip(1).map(p -> "PUT " + p.hash()).toList();

      Push.Report first = new Push(target, _ -> {}).chain(travellers.chain());
      Push.Report again = new Push(target, _ -> {}).chain(travellers.chain());

      assertThat(server.asked.subList(1, server.asked.size() - 1)).isEqualTo(sent);
      assertThat(first.blobsSent()).isEqualTo(5);
      assertThat(again).isEqualTo(new Push.Report(6, 0, 0));
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
      Parcel wrong =
          new Parcel(
              travellers.branch(),
              1,
              () -> new ByteArrayInputStream("x".getBytes(StandardCharsets.UTF_8)));
      Chain chain = new Chain(travellers.branch(), List.of(wrong), Optional.empty());

      assertThatThrownBy(() -> new Push(target, _ -> {}).chain(chain))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("422");
    }
  }

  @Test
  void aFolderOfBlobsIsATargetAndASource() throws IOException {
    Travellers travellers = Travellers.in(folder);
    FolderBlobs stick = new FolderBlobs(folder.resolve("stick"));

    assertThat(new Push(stick, _ -> {}).chain(travellers.chain()).blobsSent()).isEqualTo(6);
    assertThat(new Push(stick, _ -> {}).chain(travellers.chain()).blobsSent()).isZero();
    try (Store store = travellers.store()) {
      assertThat(travellers.get(stick, store).branch(travellers.branch()).complete()).isTrue();
    }
    assertThat(folder.resolve("stick/v1/blobs/" + travellers.session()))
        .hasSameBinaryContentAs(travellers.forkOfFork());
  }

  @Test
  void aSessionThatIsRewrittenMeanwhileIsNotLeftUnderAWrongName() throws IOException {
    Travellers travellers = Travellers.in(folder);
    Chain chain = travellers.chain();
    Files.writeString(
        travellers.forkOfFork(), Files.readString(travellers.forkOfFork()).replace('t', 'T'));
    FolderBlobs stick = new FolderBlobs(folder.resolve("stick"));

    assertThatThrownBy(() -> new Push(stick, _ -> {}).chain(chain))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThat(stick.missing(List.of(travellers.session(), travellers.branch()))).hasSize(2);
  }

  @Test
  void aChainOfTheStoreIsThatOfTheFiles() throws IOException {
    Travellers travellers = Travellers.in(folder);
    try (Store store = travellers.store()) {
      new Publication(store, new BranchIndex(folder.resolve("manifest.json")))
          .add(travellers.lineage());

      Chain ofStore = Chain.of(travellers.branch(), store);

      assertThat(ofStore.parcels())
          .extracting(Parcel::hash)
          .isEqualTo(travellers.chain().parcels().stream().map(Parcel::hash).toList());
      assertThat(ofStore.missing()).isEmpty();
    }
  }

  /// Who takes it may be slow: others have the store meanwhile.
  @Test
  void theStoreIsNotHeldWhileItsBlobsAreSent() throws IOException {
    Travellers travellers = Travellers.in(folder);
    Path copies = folder.resolve("copies");
    AtomicBoolean held = new AtomicBoolean();
    try (Store store = travellers.store();
        BlobServer server = new BlobServer();
        HttpBlobs target = new HttpBlobs(server.address(), "")) {
      new Publication(store, new BranchIndex(folder.resolve("manifest.json")))
          .add(travellers.lineage());
      Door door =
          work -> {
            held.set(true);
            work.accept(store);
            held.set(false);
          };
      List<Boolean> heldWhileRead = new ArrayList<>();
      BlobTarget watching =
          new BlobTarget() {
            @Override
            public Set<BlobHash> missing(List<BlobHash> hashes) throws IOException {
              heldWhileRead.add(held.get());
              return target.missing(hashes);
            }

            @Override
            public void put(Parcel parcel) throws IOException {
              try (InputStream in = parcel.contents().open()) {
                heldWhileRead.add(held.get());
                assertThat(Blake3.hash(in.readAllBytes())).isEqualTo(parcel.hash());
              }
              target.put(parcel);
            }

            @Override
            public String describe() {
              return target.describe();
            }

            @Override
            public void close() {}
          };

      new Push(watching, _ -> {}).chain(Chain.of(travellers.branch(), door, copies));

      assertThat(heldWhileRead).hasSize(7).containsOnly(false);
      assertThat(server.blobs).hasSize(6);
      try (var left = Files.list(copies)) {
        assertThat(left).as("copies").isEmpty();
      }
    }
  }
}
