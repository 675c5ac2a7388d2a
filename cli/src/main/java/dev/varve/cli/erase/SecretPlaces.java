// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.Payload;
import dev.varve.erase.FolderFiles;
import dev.varve.erase.SecretForms;
import dev.varve.erase.TextSearch;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The files of a store's folder that have a secret in them and are not rewritten by an erasure:
/// names of types, and what lies beside the store.
final class SecretPlaces implements FolderFiles.Reader {

  /// Files that an erasure replaces or deletes, and folders with nothing but such files.
  private static final Set<String> REPLACED =
      Set.of(
          "blobs.pack",
          "checkpoint.tbl",
          "journal.a",
          "journal.b",
          LocalStore.CONTEXT_ROWS,
          "search");

  private static final int STEP_BYTES = 1 << 20;

  private final TextSearch search;
  private final List<Place> found = new ArrayList<>();

  /// A file that an erasure does not reach.
  ///
  /// @param file its path within the folder
  /// @param readable false if it cannot be read, so that it may have a secret or not
  record Place(String file, boolean readable) {}

  private SecretPlaces(TextSearch search) {
    this.search = search;
  }

  /// The files that have one of the secrets, or cannot be read.
  static List<Place> find(Path folder, List<Payload> secrets) throws IOException {
    if (secrets.isEmpty()) {
      return List.of();
    }
    SecretPlaces places = new SecretPlaces(SecretForms.search(secrets));
    FolderFiles.read(folder, places);
    return places.found;
  }

  @Override
  public boolean wants(String name) {
    return !REPLACED.contains(name);
  }

  @Override
  public void read(String name, InputStream in) throws IOException {
    if (isIn(in)) {
      found.add(new Place(name, true));
    }
  }

  @Override
  public void failed(String name, IOException why) {
    if (wants(name)) {
      found.add(new Place(name, false));
    }
  }

  private boolean isIn(InputStream in) throws IOException {
    int reach = search.bytesMax();
    byte[] bytes = new byte[STEP_BYTES + reach];
    int carried = 0;
    for (int read = in.readNBytes(bytes, 0, STEP_BYTES);
        read > 0;
        read = in.readNBytes(bytes, carried, STEP_BYTES)) {
      int length = carried + read;
      if (search.isIn(Arrays.copyOf(bytes, length))) {
        return true;
      }
      carried = Math.min(reach, length);
      System.arraycopy(bytes, length - carried, bytes, 0, carried);
    }
    return false;
  }
}
