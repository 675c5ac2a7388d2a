// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.PutOutcome;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.wire.BlobRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The blobs that one connection is sending in parts. [RequestOrder] lets the parts of one blob
/// arrive one at a time.
final class BlobUploads implements AutoCloseable {

  static final int OPEN_MAX = 4;

  private final Map<Long, BlobUpload> open = new HashMap<>(); // guarded by this
  private boolean closed;

  /// Takes a part.
  ///
  /// @return the whole blob if this was the last part, otherwise null
  /// @throws StoreException if the store refuses the blob; the upload has then ended
  @Nullable PutOutcome take(BlobRequest.BlobPart part, Store store) {
    BlobUpload upload = find(part, store);
    try {
      upload.give(part.data());
      if (!part.last()) {
        return null;
      }
      PutOutcome blob = upload.end();
      forget(part.upload());
      return blob;
    } catch (StoreException e) {
      upload.close();
      forget(part.upload());
      throw e;
    }
  }

  private synchronized BlobUpload find(BlobRequest.BlobPart part, Store store) {
    if (closed) {
      throw new StoreException.Closed("connection");
    }
    BlobUpload known = open.get(part.upload());
    if (known != null) {
      return known;
    }
    if (open.size() >= OPEN_MAX) {
      throw new StoreException.TooLarge("uploads of one connection", open.size() + 1, OPEN_MAX);
    }
    BlobUpload begun = BlobUpload.start(store, part.expected());
    open.put(part.upload(), begun);
    return begun;
  }

  private synchronized void forget(long upload) {
    open.remove(upload);
  }

  /// Abandons all unfinished uploads.
  @Override
  public synchronized void close() {
    closed = true;
    open.values().forEach(BlobUpload::close);
    open.clear();
  }
}
