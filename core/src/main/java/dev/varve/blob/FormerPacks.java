// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The files of packs that erasures replaced. A pack's files are closed once no reader has the pack
/// any more, which the garbage collector of the JVM finds out, and at the latest with the store.
/// The file system then has the space of the files back.
public final class FormerPacks {

  private static final Cleaner CLEANER = Cleaner.create();

  private final Set<Files> open = ConcurrentHashMap.newKeySet();

  /// Takes over the closing of files.
  ///
  /// @param pack the reader of the files. No file may lead to the pack
  /// @param parts the files
  public void add(BlobPack pack, List<? extends AutoCloseable> parts) {
    Files files = new Files(List.copyOf(parts), open);
    try {
      files.cleanable = CLEANER.register(pack, files);
      open.add(files);
    } finally {
      Reference.reachabilityFence(pack); // so that the files are known before they can be closed
    }
  }

  /// The files of a pack. Leads to everything but the pack, which the cleaner would keep otherwise.
  private static final class Files implements Runnable {

    private final List<AutoCloseable> parts;
    private final Set<Files> open;
    private Cleaner.@Nullable Cleanable cleanable;

    Files(List<AutoCloseable> parts, Set<Files> open) {
      this.parts = parts;
      this.open = open;
    }

    @Override
    public void run() {
      open.remove(this);
      closeAll(parts);
    }

    void clean() {
      if (cleanable != null) {
        cleanable.clean();
      }
    }
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
    open.forEach(Files::clean);
    open.clear();
  }
}
