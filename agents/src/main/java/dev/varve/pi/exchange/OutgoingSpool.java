// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.access.StoreVisits;
import dev.varve.disk.FileAccess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// The blobs that leave a store which must not be held while a slow receiver takes them. Each blob
/// is first copied into a file without a name, which disappears with its reader.
final class OutgoingSpool {

  private final StoreVisits store;
  private final Path folder;

  /// @param folder for the copies
  OutgoingSpool(StoreVisits store, Path folder) {
    this.store = store;
    this.folder = folder;
  }

  /// The bytes of a blob, verified.
  ///
  /// @throws StoreException.NotFound if the store has lost it meanwhile
  InputStream open(BlobHash hash) throws IOException {
    FileAccess.OWNER_ONLY.makeFolders(folder);
    FileChannel copy =
        FileChannel.open(
            folder.resolve(UUID.randomUUID() + ".part"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE); // where the system can: at once
    try {
      fill(copy, hash);
      return Channels.newInputStream(copy.position(0));
    } catch (IOException | RuntimeException e) {
      copy.close();
      throw e;
    }
  }

  private void fill(FileChannel copy, BlobHash hash) throws IOException {
    try {
      store.with(
          from -> {
            OutputStream out = Channels.newOutputStream(copy);
            try (InputStream in = from.read(hash)) {
              in.transferTo(out);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
