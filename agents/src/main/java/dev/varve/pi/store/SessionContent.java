// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;

/// The bytes of a session file, put together again from its manifest, a line at a time.
final class SessionContent {

  /// Takes bytes in the file's order.
  interface Sink {
    void take(byte[] bytes, int size);
  }

  private static final byte[] LINE_FEED = {'\n'};

  private final Store store;
  private final long limit;
  private final Sink sink;
  private final Blake3 hasher = new Blake3();
  private boolean more;

  private SessionContent(Store store, long limit, Sink sink) {
    this.store = store;
    this.limit = limit;
    this.sink = sink;
  }

  /// Hands the file's bytes to `sink`.
  ///
  /// @throws StoreException.Corrupt if they are not the ones that were imported; some were handed
  ///   out by then
  static void write(Store store, SessionManifest manifest, Sink sink) {
    SessionContent bytes = new SessionContent(store, manifest.sizeBytes(), sink);
    manifest.segments(store, bytes::segment);
    BlobHash found = bytes.hasher.digest();
    if (bytes.more
        || bytes.hasher.sizeBytes() != manifest.sizeBytes()
        || !found.equals(manifest.hash())) {
      throw new StoreException.Corrupt(
          "Pi session",
          bytes.hasher.sizeBytes(),
          manifest.sizeBytes() + " bytes with hash " + manifest.hash(),
          bytes.hasher.sizeBytes()
              + " bytes with hash "
              + found
              + (bytes.more ? ", and more" : ""));
    }
  }

  /// The hash of the file's first `sizeBytes` bytes.
  static BlobHash hashOfFirst(long sizeBytes, Store store, SessionManifest manifest) {
    SessionContent bytes = new SessionContent(store, sizeBytes, (_, _) -> {});
    manifest.segments(store, bytes::segment);
    return bytes.hasher.digest();
  }

  private void segment(FileSegment segment) {
    switch (segment) {
      case FileSegment.Lines(long first, long count) -> {
        for (long turn = first; turn < first + count && !full(); turn++) {
          turn(turn);
          take(LINE_FEED);
        }
      }
      case FileSegment.Unended(long turn) -> turn(turn);
      case FileSegment.Inline(Payload bytes) -> take(bytes.unsafeArray());
      case FileSegment.Kept(BlobHash blob, int sizeBytes) -> {
        if (!full()) {
          Payload bytes = store.get(blob);
          if (bytes.sizeBytes() != sizeBytes) {
            throw new StoreException.Corrupt(
                "blob " + blob, 0, sizeBytes + " bytes", bytes.sizeBytes() + " bytes");
          }
          take(bytes.unsafeArray());
        }
      }
    }
  }

  private void turn(long turn) {
    if (!full()) {
      Payload payload = store.turn(new TurnId(turn), View.AS_WRITTEN).payload();
      if (payload == null) {
        throw new AssertionError("turn " + turn + " came without its payload");
      }
      take(payload.unsafeArray());
    }
  }

  /// True if all bytes that are wanted are there. Further bytes are not read.
  private boolean full() {
    boolean full = hasher.sizeBytes() >= limit;
    more |= full;
    return full;
  }

  private void take(byte[] bytes) {
    int size = (int) Math.min(bytes.length, limit - hasher.sizeBytes());
    more |= size < bytes.length;
    hasher.update(bytes, 0, size);
    sink.take(bytes, size);
  }
}
