// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Durability;
import dev.varve.EraseRequest;
import dev.varve.ReadProgress;
import dev.varve.StoreOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Large blobs that have the names of others in them, some of which lie across two chunks.
class SeamNamesTest {

  @TempDir Path folder;

  private LocalStore store;
  private ContextId context;
  private final List<BlobHash> names = new ArrayList<>();

  @BeforeEach
  void open() {
    store =
        LocalStore.open(
            folder.resolve("s"), StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
    context = store.createContext().id();
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// Appends turns, and returns the names of their payloads as bytes.
  private byte[] append(int turns) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < turns; i++) {
      names.add(store.append(context, ErasureTrial.turn("\"text " + i + "\"")).payloadHash());
      all.writeBytes(names.getLast().bytes());
    }
    return all.toByteArray();
  }

  private BlobHash put(byte[] bytes) {
    try {
      return store.put(new ByteArrayInputStream(bytes), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long going(EraseRequest request) {
    return store.erasures().plan(request, ReadProgress.NONE).counts().blobs();
  }

  @Test
  void whatABlobNamesAcrossItsChunksStays() {
    put(append(8_000));
    assertThat(going(ErasureTrial.contexts(context))).isZero();
  }

  @Test
  void whatABlobNamesInDigitsAcrossItsChunksStays() {
    append(4_000);
    ByteArrayOutputStream digits = new ByteArrayOutputStream();
    names.forEach(name -> digits.writeBytes((name + " ").getBytes(StandardCharsets.US_ASCII)));
    put(digits.toByteArray());
    assertThat(going(ErasureTrial.contexts(context))).isZero();
  }

  @Test
  void whatAHeldContextNamesAcrossChunksIsHeld() {
    BlobHash list = put(append(8_000));
    ContextId held = store.createContext().id();
    store.describe(held, list);
    store.holds().hold(held, null, "audit");
    EraseRequest all = new EraseRequest(Set.of(), Set.copyOf(names), List.of()).leavingHeld();
    assertThat(going(all)).isZero();
  }
}
