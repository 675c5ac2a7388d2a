// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.hash.Blake3;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.BlobRequest;
import dev.varve.wire.StoreResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Blobs: small ones in one message, others in parts.
final class RemoteBlobs {

  private static final int SMALL = 128;
  private static final int PART_BYTES = 1 << 20;

  /// As many uploads as a server takes on one connection.
  private static final int UPLOADS_MAX = 4;

  private final ServerCalls calls;
  private final AtomicLong uploads = new AtomicLong();
  private final Semaphore uploading = new Semaphore(UPLOADS_MAX, true);

  RemoteBlobs(ServerCalls calls) {
    this.calls = calls;
  }

  private int frameBytesMax() {
    try {
      return calls.link().opened().frameBytesMax();
    } catch (IOException e) {
      return Integer.MAX_VALUE; // asking will show what is wrong
    }
  }

  PutOutcome put(Payload bytes) {
    BlobHash hash = Blake3.hash(bytes);
    if (bytes.sizeBytes() > frameBytesMax() - SMALL) {
      try {
        return put(new ByteArrayInputStream(bytes.unsafeArray()), hash);
      } catch (IOException e) {
        throw new AssertionError("an array cannot fail", e);
      }
    }
    var stored =
        (BasicResponse.Put)
            calls.call(new BasicRequest.PutBlob(hash, bytes), bytes.sizeBytes() + SMALL, true);
    return new PutOutcome(hash, stored.wasNew());
  }

  /// As many in one commit as fit into a frame.
  List<BlobHash> putAll(List<Payload> blobs) {
    int frameBytesMax = frameBytesMax();
    List<BlobHash> hashes = new ArrayList<>(blobs.size());
    List<BlobRequest.BlobsPut.Named> together = new ArrayList<>();
    long sizeBytes = SMALL;
    for (Payload blob : blobs) {
      int more = blob.sizeBytes() + BlobHash.SIZE_BYTES + 4;
      if (SMALL + more > frameBytesMax) {
        hashes.add(put(blob).hash());
        continue;
      }
      if (sizeBytes + more > frameBytesMax) {
        putTogether(together, (int) sizeBytes);
        together.clear();
        sizeBytes = SMALL;
      }
      BlobHash hash = Blake3.hash(blob);
      together.add(new BlobRequest.BlobsPut.Named(hash, blob));
      hashes.add(hash);
      sizeBytes += more;
    }
    putTogether(together, (int) sizeBytes);
    return hashes;
  }

  private void putTogether(List<BlobRequest.BlobsPut.Named> blobs, int sizeBytes) {
    if (!blobs.isEmpty()) {
      calls.call(new BlobRequest.BlobsPut(blobs), sizeBytes, true);
    }
  }

  PutOutcome put(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    uploading.acquireUninterruptibly();
    try {
      return upload(bytes, expected);
    } finally {
      uploading.release();
    }
  }

  private PutOutcome upload(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    long upload = uploads.incrementAndGet();
    int partBytes = Math.min(PART_BYTES, frameBytesMax() - SMALL);
    byte[] part = bytes.readNBytes(partBytes);
    while (true) {
      byte[] next = part.length < partBytes ? new byte[0] : bytes.readNBytes(partBytes);
      boolean last = next.length == 0;
      BlobRequest request = new BlobRequest.BlobPart(upload, last, expected, Payload.wrap(part));
      var taken = (StoreResponse.PartTaken) calls.call(request, part.length + SMALL, false);
      BlobHash hash = taken.hash();
      if (last && hash != null) {
        return new PutOutcome(hash, taken.wasNew());
      }
      part = next;
    }
  }

  Payload get(BlobHash hash) {
    try {
      return ((BasicResponse.Blob) calls.call(new BasicRequest.GetBlob(hash), SMALL, true)).data();
    } catch (StoreException.TooLarge e) {
      if (!e.what().startsWith(StoreResponse.FRAME_WITH)) {
        throw e;
      }
      return joined(hash);
    }
  }

  private Payload joined(BlobHash hash) {
    long sizeBytes = sizeBytes(hash);
    StoreLimits.DEFAULTS.checkPayload(sizeBytes);
    try (InputStream in = read(hash, 0, sizeBytes)) {
      return Payload.wrap(in.readAllBytes());
    } catch (IOException e) {
      throw new StoreException.Io("blob " + hash, "cannot be read", e);
    }
  }

  long sizeBytes(BlobHash hash) {
    return ((StoreResponse.Size) calls.call(new BlobRequest.BlobSize(hash), SMALL, true))
        .blobBytes();
  }

  InputStream read(BlobHash hash, long offset, long length) {
    long sizeBytes = sizeBytes(hash);
    if (offset < 0 || length < 0 || offset > sizeBytes - length) {
      throw new StoreException.Invalid(
          "range", "expected bytes of " + sizeBytes + ", found " + length + " from " + offset);
    }
    return new Range(hash, offset, length);
  }

  /// Asks for a part when the one before has been read.
  private final class Range extends InputStream {
    private final BlobHash hash;
    private long next;
    private long left;
    private byte[] part = new byte[0];
    private int at;

    Range(BlobHash hash, long offset, long length) {
      this.hash = hash;
      this.next = offset;
      this.left = length;
    }

    private boolean fill() {
      if (at < part.length) {
        return true;
      }
      if (left == 0) {
        return false;
      }
      int length = (int) Math.min(left, Math.min(PART_BYTES, frameBytesMax() - 2 * SMALL));
      BlobRequest request = new BlobRequest.BlobRead(hash, next, length);
      part = ((StoreResponse.Bytes) calls.call(request, SMALL, true)).data().unsafeArray();
      if (part.length != length) {
        throw new StoreException.Invalid(
            "answer to BLOB_READ", "expected " + length + " bytes, found " + part.length);
      }
      at = 0;
      next += length;
      left -= length;
      return true;
    }

    @Override
    public int read() {
      return fill() ? Byte.toUnsignedInt(part[at++]) : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int count = Math.min(length, part.length - at);
      System.arraycopy(part, at, into, offset, count);
      at += count;
      return count;
    }
  }
}
