// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.jp.files.RealFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/// Reads a blob's file and holds it against its name.
final class BlobReader {

  private BlobReader() {}

  /// @param sizeBytes of the content, as the reference says
  /// @param sizeBytesMax the most that may be taken into memory
  static byte[] read(StoredBlob stored, long sizeBytes, int sizeBytesMax) {
    // Grows with what is really there: neither the reference nor the file's own word takes memory.
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    long bound = Math.min(sizeBytes, sizeBytesMax);
    try {
      long found = inflate(stored, bound, (bytes, count) -> content.write(bytes, 0, count));
      if (found != sizeBytes) {
        throw wrongSize(stored, sizeBytes, found + " bytes");
      }
      return content.toByteArray();
    } catch (Gunzip.TooMuch e) {
      throw wrongSize(stored, sizeBytes, "more");
    }
  }

  /// Reads to the end in constant memory. An honest bomb takes time, which is bounded by the file's
  /// size.
  static long verify(StoredBlob stored) {
    return stream(stored, (_, _) -> {});
  }

  /// Hands the content to `sink`; whether it is what its name says is known only at the end.
  static long stream(StoredBlob stored, ContentSink sink) {
    try {
      return inflate(stored, Long.MAX_VALUE, sink);
    } catch (Gunzip.TooMuch e) {
      throw new AssertionError("no bound, and yet too much", e);
    }
  }

  private static long inflate(StoredBlob stored, long bound, ContentSink sink)
      throws Gunzip.TooMuch {
    MessageDigest digest = Sha256.digest();
    try (InputStream in = RealFiles.open(stored.file())) {
      long size =
          Gunzip.inflate(
              in,
              bound,
              (bytes, count) -> {
                digest.update(bytes, 0, count);
                sink.take(bytes, count);
              });
      Sha256 hash = Sha256.of(digest);
      if (!hash.equals(stored.hash())) {
        throw new StoreException.Corrupt(
            stored.file().toString(), 0, "content with SHA-256 " + stored.hash(), hash.hex());
      }
      return size;
    } catch (Gunzip.Damaged e) {
      throw new StoreException.Corrupt(stored.file().toString(), e.offset, e.expected, e.found);
    } catch (IOException e) {
      throw DiskErrors.of(stored.file(), "read", e);
    }
  }

  private static StoreException.Corrupt wrongSize(StoredBlob stored, long expected, String found) {
    return new StoreException.Corrupt(
        stored.file().toString(),
        0,
        "content of " + expected + " bytes, as its reference says",
        found);
  }
}
