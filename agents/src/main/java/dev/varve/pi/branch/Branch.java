// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.files.RegularFile;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A session of this computer and the branch that it is.
///
/// @param session the file, with links resolved
/// @param content its hash, and how that was come by
/// @param bytes the sidecar's, exactly: their hash is the branch hash
public record Branch(Path session, HashedSession content, Payload bytes) {

  /// By which it travels.
  public BlobHash hash() {
    return Blake3.hash(bytes.unsafeArray());
  }

  public Sidecar sidecar() {
    return Sidecar.read(bytes, session.toString());
  }

  /// The session's bytes as they were hashed: what was appended since is left out.
  public InputStream open() throws IOException {
    return new FirstBytes(RegularFile.read(session), content.sizeBytes());
  }

  /// The blobs that hold bytes behind the first `fromBytes`.
  InputStream open(long fromBytes) throws IOException {
    InputStream in = open();
    in.skipNBytes(fromBytes);
    return in;
  }

  /// The branch it was forked from.
  public @Nullable BlobHash parent() {
    return sidecar().parent();
  }
}
