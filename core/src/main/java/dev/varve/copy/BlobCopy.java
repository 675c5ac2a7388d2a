// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/// The blobs of a copy. Each is read from the source, which verifies the content, and stored under
/// the hash of the content by the target.
final class BlobCopy {

  private final BulkStore source;
  private final BulkStore target;
  private final CopyProgress progress;
  private final CopyBatch batch;
  private final List<Payload> waiting = new ArrayList<>();
  private long waitingBytes;
  private long count;
  private long contentBytes;

  BlobCopy(BulkStore source, BulkStore target, CopyProgress progress, CopyBatch batch) {
    this.source = source;
    this.target = target;
    this.progress = progress;
    this.batch = batch;
  }

  /// Copies each blob that the target lacks.
  void copyAll() {
    long total = source.counts().blobs();
    long seen = 0;
    List<BlobHash> listed = source.blobs(null, batch.items());
    while (!listed.isEmpty()) {
      target.lacking(listed).forEach(this::add);
      seen += listed.size();
      progress.reached("blobs", seen, total);
      listed = source.blobs(listed.getLast(), batch.items());
    }
    flush();
  }

  /// Copies one blob unless the target has the blob.
  void demand(BlobHash hash) {
    if (!target.has(hash)) {
      add(hash);
      flush();
    }
  }

  private void add(BlobHash hash) {
    long sizeBytes = source.sizeBytes(hash);
    if (sizeBytes > batch.wholeBytes() && source.findChunkList(hash).isPresent()) {
      try (InputStream content = source.read(hash)) {
        target.put(content, hash);
      } catch (IOException e) {
        throw new StoreException.Io("blob " + hash, "cannot be read", e);
      }
    } else {
      waiting.add(source.get(hash));
      waitingBytes += sizeBytes;
    }
    count++;
    contentBytes += sizeBytes;
    if (waitingBytes > batch.bytes() || waiting.size() >= batch.items()) {
      flush();
    }
  }

  private void flush() {
    if (!waiting.isEmpty()) {
      target.putAll(waiting);
      waiting.clear();
      waitingBytes = 0;
    }
  }

  long count() {
    return count;
  }

  long contentBytes() {
    return contentBytes;
  }
}
