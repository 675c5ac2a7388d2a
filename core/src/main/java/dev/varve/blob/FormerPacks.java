// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The files of packs that an erasure replaced. Each pack's files are closed once nobody reads from
/// the pack any more, which the collection of memory finds out, and at the latest with the store.
/// The file system has their space back then.
public final class FormerPacks {

  private static final Cleaner CLEANER = Cleaner.create();

  private final Set<Cleaner.Cleanable> open = ConcurrentHashMap.newKeySet();

  /// Takes over the closing of files.
  ///
  /// @param pack what reads from the files; nothing else may lead from the files to the pack
  public void add(BlobPack pack, List<? extends AutoCloseable> files) {
    open.add(CLEANER.register(pack, () -> closeAll(files)));
  }

  private static void closeAll(List<? extends AutoCloseable> files) {
    for (AutoCloseable file : files) {
      try {
        file.close();
      } catch (Exception e) {
        System.getLogger("dev.varve.blob")
            .log(System.Logger.Level.DEBUG, () -> "a replaced file: " + e);
      }
    }
  }

  /// Closes all files, whoever reads.
  public void close() {
    open.forEach(Cleaner.Cleanable::clean);
    open.clear();
  }
}
