// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.Payload;
import dev.varve.erase.SecretForms;
import dev.varve.erase.TextSearch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The files of a store's folder that have a secret in them and are not rewritten by an erasure:
/// names of types, and what lies beside the store.
final class SecretPlaces {

  /// Files that an erasure replaces or deletes.
  private static final Set<String> REPLACED =
      Set.of("blobs.pack", "checkpoint.tbl", "journal.a", "journal.b");

  private static final int STEP_BYTES = 1 << 20;

  private SecretPlaces() {}

  /// The names of the files, within the folder.
  static List<String> find(Path folder, List<Payload> secrets) throws IOException {
    if (secrets.isEmpty()) {
      return List.of();
    }
    TextSearch search =
        new TextSearch(
            secrets.stream()
                .flatMap(secret -> SecretForms.of(secret.unsafeArray()).stream())
                .toList());
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = folder.relativize(file).toString();
        if (!REPLACED.contains(name) && !name.startsWith("search") && isIn(file, search)) {
          found.add(name);
        }
      }
    }
    return found;
  }

  private static boolean isIn(Path file, TextSearch search) throws IOException {
    int reach = search.bytesMax();
    byte[] bytes = new byte[STEP_BYTES + reach];
    int carried = 0;
    try (InputStream in = Files.newInputStream(file)) {
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
    }
    return false;
  }
}
