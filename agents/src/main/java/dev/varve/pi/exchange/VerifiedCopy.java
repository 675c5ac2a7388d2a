// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/// A copy of a blob in a file, whose hash is compared before the file appears.
final class VerifiedCopy {

  private static final int PIECE_BYTES = 256 << 10;

  private VerifiedCopy() {}

  /// The hash of all bytes of a stream.
  static BlobHash hash(InputStream in) throws IOException {
    Blake3 hasher = new Blake3();
    byte[] piece = new byte[PIECE_BYTES];
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      hasher.update(piece, 0, read);
    }
    return hasher.digest();
  }

  /// Fills a draft with all bytes of a stream.
  ///
  /// @param target the path that the draft is for, named by a refusal
  /// @throws StoreException.Corrupt if the bytes have another hash than `expected`
  /// @throws IOException if the stream cannot be read
  static void fill(FileDraft draft, InputStream in, BlobHash expected, Path target)
      throws IOException {
    Blake3 hasher = new Blake3();
    byte[] piece = new byte[PIECE_BYTES];
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      hasher.update(piece, 0, read);
      draft.write(piece, 0, read);
    }
    BlobHash found = hasher.digest();
    if (!found.equals(expected)) {
      throw new StoreException.Corrupt(
          target.toString(), 0, "bytes with the hash " + expected, "hash " + found);
    }
  }
}
