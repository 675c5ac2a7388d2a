// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.wire.BlobRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The blobs that one connection is sending in parts. [Order] sees to it that the parts of one come
/// one at a time.
final class Uploads implements AutoCloseable {

  static final int OPEN_MAX = 4;

  private final Map<Long, Upload> open = new HashMap<>(); // guarded by this
  private boolean closed;

  /// Takes a part.
  ///
  /// @return the hash of the whole if it was the last one, else null
  /// @throws StoreException if the store refuses the blob; the upload is then over
  @Nullable BlobHash take(BlobRequest.BlobPart part, Store store) {
    Upload upload = find(part, store);
    try {
      upload.give(part.data());
      if (!part.last()) {
        return null;
      }
      BlobHash hash = upload.end();
      forget(part.upload());
      return hash;
    } catch (StoreException e) {
      upload.close();
      forget(part.upload());
      throw e;
    }
  }

  private synchronized Upload find(BlobRequest.BlobPart part, Store store) {
    if (closed) {
      throw new StoreException.Closed("connection");
    }
    Upload known = open.get(part.upload());
    if (known != null) {
      return known;
    }
    if (open.size() >= OPEN_MAX) {
      throw new StoreException.TooLarge("uploads of one connection", open.size() + 1, OPEN_MAX);
    }
    Upload begun = Upload.start(store, part.expected());
    open.put(part.upload(), begun);
    return begun;
  }

  private synchronized void forget(long upload) {
    open.remove(upload);
  }

  /// Gives up what has not come to its end.
  @Override
  public synchronized void close() {
    closed = true;
    open.values().forEach(Upload::close);
    open.clear();
  }
}
