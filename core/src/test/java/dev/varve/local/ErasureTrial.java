// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreOptions;
import dev.varve.contract.AgreedErasure;
import dev.varve.disk.SimulatedDisk;
import dev.varve.sim.SimulatedTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;

/// A store in which tests erase. Each erasure is followed by a look at the files, an opening and a
/// check.
abstract class ErasureTrial {

  static final DeclaredType TYPE = new DeclaredType("note", 1);

  final SimulatedDisk disk = new SimulatedDisk(0, 1 << 22);
  LocalStore store = open();

  final LocalStore open() {
    return LocalStore.open(
        disk,
        StoreOptions.DEFAULTS.withDurability(Durability.FORCE_EACH),
        SimulatedTime.standing(),
        StoreGeometry.DEFAULTS);
  }

  @AfterEach
  void close() {
    store.close();
  }

  static NewTurn turn(String text) {
    return NewTurn.of(Payload.utf8(text), TYPE, Encoding.JSON);
  }

  final ErasePlan plan(EraseRequest request) {
    return store.erasures().plan(request, ReadProgress.NONE);
  }

  final EraseReceipt erase(EraseRequest request) {
    EraseReceipt receipt = AgreedErasure.in(store, request);
    assertThat(store.check().problems()).isEmpty();
    store.close();
    PackReader.assertGone(DiskImage.of(disk), receipt.hashes());
    store = open();
    assertThat(store.check().problems()).isEmpty();
    return receipt;
  }

  static EraseRequest contexts(ContextId... contexts) {
    return new EraseRequest(Set.of(contexts), Set.of(), List.of());
  }

  static EraseRequest blobs(BlobHash... blobs) {
    return new EraseRequest(Set.of(), Set.of(blobs), List.of());
  }

  static EraseRequest secret(String secret) {
    return new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(secret)));
  }

  static byte[] noise(int sizeBytes, long seed) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  final BlobHash putStream(byte[] bytes) throws IOException {
    return store.put(new ByteArrayInputStream(bytes), null);
  }
}
