// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BulkStore;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ProblemList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Imports the data directory of a cxdb server into an empty store.
///
/// Turns and contexts keep their numbers, times, types, encodings and file trees; all blobs are
/// imported. The directory is only read. Copy the directory first, or stop the server: while the
/// server writes, the newest turns may be missing. (Never start a server of the first generation on
/// the directory again: the server empties its files when it starts.)
///
/// The heap holds one blob and its compressed bytes, and 60 bytes for each turn.
public final class CxdbImport {

  private static final String PACK = "blobs/blobs.pack";
  private static final String LOG = "turns/turns.log";
  private static final String META = "turns/turns.meta";
  private static final String HEADS = "turns/heads.tbl";
  private static final String ROOTS = "fs/roots.idx";
  private static final String REGISTRY = "registry";

  private CxdbImport() {}

  /// Imports `directory`.
  ///
  /// @param store without turns, contexts and blobs
  /// @param limits those of the store; larger blobs count as damaged
  /// @throws StoreException.Conflict if the store is not empty
  /// @throws StoreException.Invalid if the directory has neither blobs nor turns of a cxdb server
  public static CxdbReport directory(
      Path directory,
      BulkStore store,
      StoreLimits limits,
      ZstdDecompressor zstd,
      ImportListener listener) {
    demandEmpty(store);
    if (!Files.isRegularFile(directory.resolve(LOG))
        && !Files.isRegularFile(directory.resolve(PACK))) {
      throw new StoreException.Invalid(directory.toString(), "expected " + LOG + " or " + PACK);
    }
    // The server writes a turn's blob first and its head last. In the other order, what a file
    // names is in the next.
    try (SourceFile roots = SourceFile.open(directory, ROOTS, listener);
        SourceFile heads = SourceFile.open(directory, HEADS, listener);
        SourceFile meta = SourceFile.open(directory, META, listener);
        SourceFile log = SourceFile.open(directory, LOG, listener);
        SourceFile pack = SourceFile.open(directory, PACK, listener)) {
      ProblemList problems = new ProblemList();
      long blobs = new PackReader(pack, limits, zstd).read(store, problems);
      CxdbTurns turns = CxdbTurns.read(log, problems);
      CxdbHeads.readOwners(heads, turns);
      turns.restore(
          store,
          MetaReader.read(meta, turns.index(), problems),
          CxdbRoots.read(roots, turns.index(), problems),
          problems);
      CxdbHeads contexts = CxdbHeads.read(heads, turns, problems);
      contexts.restore(store, turns, problems);
      return new CxdbReport(
          blobs,
          turns.count(),
          turns.skipped(),
          contexts.count(),
          contexts.setBack(),
          turns.roots(),
          registry(directory.resolve(REGISTRY)),
          problems.summary());
    }
  }

  private static void demandEmpty(BulkStore store) {
    StoreCounts counts = store.counts();
    if (counts.turns() != 0 || counts.contexts() != 0 || counts.blobs() != 0) {
      throw new StoreException.Conflict(
          "store",
          "an empty one",
          counts.turns()
              + " turns, "
              + counts.contexts()
              + " contexts, "
              + counts.blobs()
              + " blobs");
    }
  }

  private static List<String> registry(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be listed", e);
    } catch (UncheckedIOException e) {
      throw new StoreException.Io(folder.toString(), "cannot be listed", e);
    }
  }
}
