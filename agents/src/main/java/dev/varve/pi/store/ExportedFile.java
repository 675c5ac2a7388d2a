// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// A file that appears whole or not at all, and never in the place of another.
final class ExportedFile {

  private static final int BUFFER_SIZE = 256 << 10;

  private ExportedFile() {}

  static void write(Store store, SessionManifest manifest, Path target) {
    try {
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        demandSame(manifest, target);
        return;
      }
    } catch (IOException e) {
      throw new StoreException.Io(target.toString(), "cannot be read", e);
    }
    try (FileDraft file = WholeFile.at(target).newDraft()) {
      fill(store, manifest, file);
      file.claim();
    }
  }

  private static void demandSame(SessionManifest manifest, Path target) throws IOException {
    if (!Files.isRegularFile(target) || Files.size(target) != manifest.sizeBytes()) {
      throw taken(target, "another file");
    }
    Blake3 hasher = new Blake3();
    byte[] bytes = new byte[BUFFER_SIZE];
    try (InputStream in = Files.newInputStream(target)) {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        hasher.update(bytes, 0, read);
      }
    }
    BlobHash found = hasher.digest();
    if (!found.equals(manifest.hash())) {
      throw taken(target, "another file");
    }
  }

  private static StoreException.Conflict taken(Path target, String found) {
    return new StoreException.Conflict(target.toString(), "no file of this name", found);
  }

  private static void fill(Store store, SessionManifest manifest, FileDraft file) {
    SessionContent.write(store, manifest, (bytes, size) -> file.write(bytes, 0, size));
  }
}
