// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.Store;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A blob that arrives in parts: a thread of its own stores the parts while they arrive. At most
/// one part waits.
final class BlobUpload implements AutoCloseable {

  private final ReentrantLock lock = new ReentrantLock(); // guards part, ended, broken
  private final Condition changed = lock.newCondition();
  private final CompletableFuture<PutOutcome> result = new CompletableFuture<>();
  private @Nullable ByteBuffer part;
  private boolean ended;
  private boolean broken;

  private BlobUpload() {}

  static BlobUpload start(Store store, @Nullable BlobHash expected) {
    BlobUpload upload = new BlobUpload();
    Thread.ofVirtual().name("binary-upload").start(() -> upload.put(store, expected));
    return upload;
  }

  private void put(Store store, @Nullable BlobHash expected) {
    try {
      result.complete(store.putWithOutcome(new Parts(), expected));
    } catch (IOException e) {
      result.completeExceptionally(new StoreException.Io("upload", "given up", e));
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    } finally {
      lock.lock();
      try {
        broken = true; // no thread takes parts any more
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /// Hands a part over, and returns once the store has taken it.
  ///
  /// @throws StoreException if the store has refused the blob
  void give(Payload bytes) {
    lock.lock();
    try {
      if (bytes.sizeBytes() > 0) {
        part = bytes.buffer();
        changed.signalAll();
      }
      while (part != null && part.hasRemaining() && !broken) {
        changed.awaitUninterruptibly();
      }
      part = null;
      if (!broken) {
        return;
      }
    } finally {
      lock.unlock();
    }
    PutOutcome _ = result();
    throw new StoreException.Io("upload", "ended early", new IOException("a part came too late"));
  }

  /// Ends the blob.
  ///
  /// @return the whole blob, which is stored
  PutOutcome end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return result();
  }

  private PutOutcome result() {
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreException refusal) {
        throw refusal;
      }
      throw e;
    }
  }

  /// Abandons the upload, if it has not ended.
  @Override
  public void close() {
    lock.lock();
    try {
      broken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The stream from which the store reads.
  private final class Parts extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      lock.lock();
      try {
        while (true) {
          if (broken) {
            throw new IOException("the client has left");
          }
          ByteBuffer current = part;
          if (current != null && current.hasRemaining()) {
            int count = Math.min(length, current.remaining());
            current.get(into, offset, count);
            changed.signalAll();
            return count;
          }
          if (ended) {
            return -1;
          }
          changed.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
