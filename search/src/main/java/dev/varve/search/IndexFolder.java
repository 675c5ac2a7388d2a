// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.StoreException;
import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import dev.varve.disk.FileAccess;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NRTCachingDirectory;
import org.jspecify.annotations.Nullable;

/// The folder `search` of a store's folder, in which the index lies.
record IndexFolder(Path path, String store) {

  static final String NAME = "search";

  /// Of an index up to this size every checksum is verified when it is opened.
  private static final long VERIFIED_BYTES_MAX = 256L << 20;

  /// The size of a new part of the index that stays in memory until the next commit.
  private static final double SMALL_MEGABYTES = 4;

  /// The most that all new parts in memory take.
  private static final double CACHED_MEGABYTES = 32;

  private static final System.Logger LOG = System.getLogger(IndexFolder.class.getPackageName());

  /// The folder of the index of a store.
  ///
  /// @throws StoreException.Io if the store's root cannot be read
  static IndexFolder of(Path storeFolder) {
    Path root = StoreAccess.of(storeFolder, WaitingRules.DEFAULTS).root();
    try {
      String store = Blake3.hash(Files.readAllBytes(root)).toString();
      return new IndexFolder(storeFolder.resolve(NAME), store);
    } catch (IOException e) {
      throw new StoreException.Io(root.toString(), "cannot be read", e);
    }
  }

  /// Lucene's remark on machine code for vectors, which this index has no use for, is no news for
  /// who searches. Loggers are kept only while somebody refers to them.
  private static final Logger VECTORS =
      Logger.getLogger("org.apache.lucene.internal.vectorization");

  Directory open() throws IOException {
    VECTORS.setLevel(Level.SEVERE);
    FileAccess.OWNER_ONLY.makeFolders(path);
    return new NRTCachingDirectory(FSDirectory.open(path), SMALL_MEGABYTES, CACHED_MEGABYTES);
  }

  /// The mark of the last commit; that of an empty index if there is no usable index: none, one of
  /// another store or version, or a damaged one.
  IndexMark mark(Directory directory) {
    try {
      if (!DirectoryReader.indexExists(directory)) {
        return IndexMark.nothing(store);
      }
      IndexMark mark = IndexMark.of(SegmentInfos.readLatestCommit(directory).getUserData(), store);
      if (!mark.isNothing()) {
        verify(directory);
      }
      return mark;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> path + ": the index is made again: " + e);
      return IndexMark.nothing(store);
    }
  }

  /// Returns whether there are files of an index that is not of the store in its present state.
  boolean isStale(Directory directory) throws IOException {
    return DirectoryReader.indexExists(directory)
        ? !store.equals(SegmentInfos.readLatestCommit(directory).getUserData().get("store"))
        : Stream.of(directory.listAll())
            .anyMatch(file -> !file.equals(IndexWriter.WRITE_LOCK_NAME));
  }

  private static void verify(Directory directory) throws IOException {
    long sizeBytes = 0;
    for (String file : directory.listAll()) {
      sizeBytes += directory.fileLength(file);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        if (sizeBytes <= VERIFIED_BYTES_MAX && leaf.reader() instanceof CodecReader codec) {
          codec.checkIntegrity();
        }
      }
    }
  }

  /// The index as last committed; null if there is no usable one.
  @Nullable DirectoryReader read(Directory directory) {
    try {
      return mark(directory).isNothing() ? null : DirectoryReader.open(directory);
    } catch (IOException | RuntimeException e) {
      return null; // just being replaced
    }
  }

  /// The mark of the commit that a reader sees.
  IndexMark mark(DirectoryReader reader) throws IOException {
    return IndexMark.of(reader.getIndexCommit().getUserData(), store);
  }

  /// Deletes all files of the index, unless another process writes it.
  void clear(Directory directory) throws IOException {
    try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME);
        DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      lock.ensureValid();
      for (Path file : files) {
        if (!file.endsWith(IndexWriter.WRITE_LOCK_NAME)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
