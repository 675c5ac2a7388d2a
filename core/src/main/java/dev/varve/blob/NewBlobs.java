// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The blobs of a draft: where each record will stand in the pack. For the committing thread.
public final class NewBlobs {

  private final BlobPack pack;
  private final List<PlacedBlob> placed = new ArrayList<>();
  private final List<byte[]> storedBytes = new ArrayList<>();
  private final Set<BlobHash> hashes = new HashSet<>();
  private long packEnd;
  private long firstCount;
  private long firstRawBytes;

  public NewBlobs(BlobPack pack, long packEnd) {
    this.pack = pack;
    this.packEnd = packEnd;
  }

  public List<PlacedBlob> placed() {
    return Collections.unmodifiableList(placed);
  }

  /// The stored bytes of each record, in the order of [#placed].
  public List<byte[]> storedBytes() {
    return Collections.unmodifiableList(storedBytes);
  }

  /// Where the pack ends behind the last record.
  public long packEnd() {
    return packEnd;
  }

  /// The number of new blobs that the store does not have yet; the other blobs are stored again
  /// because they are damaged.
  public long firstCount() {
    return firstCount;
  }

  public long firstRawBytes() {
    return firstRawBytes;
  }

  /// Places a blob, behind its pieces, unless it is in the store or among these already.
  ///
  /// @return whether it was placed
  public boolean put(PreparedBlob blob) {
    blob.pieces().forEach(this::put); // also of a blob that is there: a piece may be damaged
    if (blob.isNew() && !hashes.contains(blob.hash())) {
      long known = pack.find(blob.hash());
      // Another caller may have stored it since this one looked. What this one found damaged is
      // stored again.
      if (known < 0 || !pack.isWhole(blob.hash(), known)) {
        place(blob, known < 0 && !pack.hasRecord(blob.hash()));
        return true;
      }
    }
    return false;
  }

  private void place(PreparedBlob blob, boolean first) {
    byte[] stored = blob.stored();
    if (stored == null) {
      throw new AssertionError("nothing to place of blob " + blob.hash());
    }
    BlobRecord record = blob.record();
    hashes.add(blob.hash());
    placed.add(new PlacedBlob(packEnd, record));
    storedBytes.add(stored);
    packEnd += record.sizeBytes();
    if (first) {
      firstCount++;
      firstRawBytes += record.keptBytes();
    }
  }

  /// Refuses a blob that is neither in the store nor among these.
  ///
  /// @param kind what it was to be
  /// @throws StoreException.Erased if it was erased
  public void require(BlobHash hash, String kind) {
    pack.erased().refuse(hash);
    if (!hashes.contains(hash) && pack.find(hash) < 0) {
      throw new StoreException.NotFound(kind, hash.toString());
    }
  }
}
