// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.ContextHolds;
import dev.varve.EraseReceipt;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.StoreErasures;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.access.DatabaseStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The part of a store in a database that all databases share: the store's blobs, identity and
/// clock, and the refusal of every operation once the store is closed.
public abstract class CheckedDatabaseStore implements DatabaseStore {

  /// The surroundings of a store.
  ///
  /// @param address for people, without user and password
  /// @param storeId the identity that the store got when the store was made
  public record Surroundings(
      String address, UUID storeId, StoreLimits limits, InstantSource clock) {}

  private final Surroundings surroundings;
  private final BlobRows rows;
  private final DatabaseBlobs blobs;
  private volatile boolean closed;
  private volatile Runnable afterClose = () -> {};

  protected CheckedDatabaseStore(Surroundings surroundings, BlobRows rows, DatabaseBlobs blobs) {
    this.surroundings = surroundings;
    this.rows = rows;
    this.blobs = blobs;
  }

  /// @throws StoreException.Closed if the store is closed
  protected final void checkOpen() {
    if (closed) {
      throw new StoreException.Closed("store");
    }
  }

  /// @throws StoreException.Closed if the store is closed
  /// @throws StoreException.Invalid if a page has another limit than a page may have
  protected final void checkPage(int limit) {
    checkOpen();
    surroundings.limits().checkPage(limit);
  }

  /// @throws StoreException.Closed if the store is closed
  /// @throws StoreException.TooLarge if a payload is larger than a payload may be
  protected final void checkPayload(Payload payload) {
    checkOpen();
    surroundings.limits().checkPayload(payload.sizeBytes());
  }

  protected final long nowUnixMs() {
    return surroundings.clock().instant().toEpochMilli();
  }

  @Override
  public final UUID storeId() {
    return surroundings.storeId();
  }

  // ---- blobs

  @Override
  public final PutOutcome putWithOutcome(Payload bytes) {
    checkOpen();
    return blobs.put(bytes);
  }

  @Override
  public final List<BlobHash> putAll(List<Payload> contents) {
    checkOpen();
    return blobs.putAll(contents);
  }

  @Override
  public final PutOutcome putWithOutcome(InputStream bytes, @Nullable BlobHash expected)
      throws IOException {
    checkOpen();
    return blobs.put(bytes, expected);
  }

  @Override
  public final Payload get(BlobHash hash) {
    checkOpen();
    return blobs.get(hash);
  }

  @Override
  public final InputStream read(BlobHash hash, long offset, long length) {
    checkOpen();
    return blobs.read(hash, offset, length);
  }

  @Override
  public final long sizeBytes(BlobHash hash) {
    checkOpen();
    return rows.sizeBytes(hash);
  }

  @Override
  public final boolean has(BlobHash hash) {
    checkOpen();
    return rows.has(hash);
  }

  @Override
  public final List<BlobHash> lacking(List<BlobHash> hashes) {
    checkOpen();
    return hashes.isEmpty() ? List.of() : rows.lacking(hashes);
  }

  @Override
  public final Optional<Payload> findChunkList(BlobHash hash) {
    checkOpen();
    EncodedBlob row = blobs.row(hash);
    return row.isChunked() ? Optional.of(Payload.wrap(row.data())) : Optional.empty();
  }

  @Override
  public final BlobHash assemble(BlobHash hash, Payload rootList) {
    checkOpen();
    blobs.assemble(hash, rootList);
    return hash;
  }

  // ---- holds and erasures

  /// The holds of the store.
  protected abstract ContextHolds recordedHolds();

  /// The erasures of the store.
  protected abstract RecordedErasures recordedErasures();

  @Override
  public final ContextHolds holds() {
    checkOpen();
    return recordedHolds();
  }

  @Override
  public final StoreErasures erasures() {
    checkOpen();
    return recordedErasures();
  }

  @Override
  public final int lastErasure() {
    checkOpen();
    return recordedErasures().last();
  }

  @Override
  public final Optional<EraseReceipt> receipt(int run) {
    checkOpen();
    return recordedErasures().receipt(run);
  }

  @Override
  public final int readmit(Payload content) {
    checkOpen();
    return recordedErasures().readmit(content);
  }

  // ---- the whole

  @Override
  public final Payload backupPoint() {
    checkOpen();
    throw new StoreException.Invalid("backup", "this store has no files; copy it or its database");
  }

  /// Ends the connections of the store, once no operation begins any more. Idempotent.
  protected abstract void disconnect();

  @Override
  public final void close() {
    closed = true;
    try {
      disconnect();
    } finally {
      afterClose.run();
    }
  }

  @Override
  public final void afterClose(Runnable action) {
    afterClose = action;
  }

  /// The address of the store, without user and password.
  @Override
  public final String toString() {
    return surroundings.address();
  }
}
