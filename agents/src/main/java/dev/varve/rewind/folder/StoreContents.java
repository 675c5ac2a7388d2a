// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.rewind.SnapshotContents;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;

/// The contents of snapshots in a store. The store is open until the contents are closed.
final class StoreContents implements SnapshotContents {

  private final Store store;

  StoreContents(Store store) {
    this.store = store;
  }

  @Override
  public long copy(String id, OutputStream to) {
    try (InputStream in = store.read(BlobHash.parse(id))) {
      return in.transferTo(to);
    } catch (IOException e) {
      throw new StoreException.Io(id, "copy: " + e.getMessage(), e);
    }
  }

  @Override
  public void writeLinks(Path folder, SortedMap<String, String> links) {
    for (Map.Entry<String, String> link : links.entrySet()) {
      Path file = folder.resolve(link.getKey());
      try {
        SymbolicLinks.create(file, store.get(BlobHash.parse(link.getValue())).unsafeArray());
      } catch (IOException e) {
        throw DiskErrors.ofWrite(file, "create", 0, e);
      }
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
