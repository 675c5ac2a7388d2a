// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.StoreAccess;
import dev.varve.git.ChangedWhileRead;
import dev.varve.git.RepoPath;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.SteadyFile;
import dev.varve.rewind.folder.TreeBuilder.Content;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Reads files into a store, which is open for a bounded share of them at a time. After the last
/// file the store stays open until the reader is closed: opening it costs more than reading a few
/// files.
final class ContentReader implements AutoCloseable {

  /// Opens files, never through a link.
  @FunctionalInterface
  interface Opener {
    InputStream open(Path file) throws IOException;

    Opener PLAIN = file -> Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
  }

  /// Larger files are stored as streams, in chunks.
  private static final int WHOLE_BYTES_MAX = 256 << 10;

  /// The size up to which a file is read whole that was small when it was looked at.
  private static final int GROWN_BYTES_MAX = 4 << 20;

  /// The number of bytes after which the store is closed, so that other processes may open it.
  private static final long SHARE_BYTES = 64L << 20;

  private static final int BATCH_BYTES = 8 << 20;

  private final StoreAccess access;
  private final Opener opener;
  private final SortedMap<RepoPath, LeftOut> leftOut;
  private final Map<RepoPath, Content> contents = new HashMap<>();
  private final List<WalkedPath.Leaf> batch = new ArrayList<>();
  private final List<Payload> blobs = new ArrayList<>();
  private long batchBytes;
  private @Nullable Store store;

  /// @param leftOut takes the files that cannot be read
  ContentReader(StoreAccess access, Opener opener, SortedMap<RepoPath, LeftOut> leftOut) {
    this.access = access;
    this.opener = opener;
    this.leftOut = leftOut;
  }

  /// Reads the content of files and links; durable on return. Files that went away are not in the
  /// result.
  Map<RepoPath, Content> all(List<WalkedPath.Leaf> leaves) {
    for (int i = 0; i < leaves.size(); ) {
      close();
      Store open = store();
      for (long share = 0; i < leaves.size() && share < SHARE_BYTES; i++) {
        share += 512 + read(leaves.get(i), open);
      }
      flush(open);
    }
    return contents;
  }

  /// The store, opened if it is not open.
  Store store() {
    Store open = store;
    if (open == null) {
      open = access.open();
      store = open;
    }
    return open;
  }

  @Override
  public void close() {
    Store open = store;
    store = null;
    if (open != null) {
      open.close();
    }
  }

  private long read(WalkedPath.Leaf leaf, Store store) {
    try {
      if (leaf.stat().isLink()) {
        add(leaf, Payload.wrap(SymbolicLinks.read(leaf.place())), store);
        return 0;
      }
      if (leaf.stat().sizeBytes() > WHOLE_BYTES_MAX) {
        return stream(leaf, store);
      }
      Optional<ByteBuffer> bytes = SteadyFile.read(leaf.place(), size -> whole(leaf, size));
      if (bytes.isEmpty()) {
        leftOut.put(leaf.path(), LeftOut.CHANGING);
        return 0;
      }
      add(leaf, Payload.wrap(bytes.get().array()), store);
      return bytes.get().capacity();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return 0; // it went away meanwhile
    } catch (FileSystemLoopException e) {
      return 0;
    } catch (IOException e) {
      leftOut.put(leaf.path(), LeftOut.UNREADABLE);
      return 0;
    }
  }

  private ByteBuffer whole(WalkedPath.Leaf leaf, long sizeBytes) throws IOException {
    if (sizeBytes > GROWN_BYTES_MAX) {
      throw new ChangedWhileRead(leaf.place());
    }
    try (InputStream in = opener.open(leaf.place())) {
      byte[] bytes = in.readNBytes((int) sizeBytes);
      if (bytes.length < sizeBytes) {
        throw new ChangedWhileRead(leaf.place());
      }
      return ByteBuffer.wrap(bytes);
    }
  }

  private long stream(WalkedPath.Leaf leaf, Store store) throws IOException {
    try {
      Optional<Content> content =
          SteadyFile.read(
              leaf.place(),
              sizeBytes -> {
                try (InputStream in = opener.open(leaf.place())) {
                  Beginning beginning = new Beginning(in, sizeBytes);
                  BlobHash hash = store.put(beginning, null);
                  if (beginning.leftBytes > 0) {
                    throw new ChangedWhileRead(leaf.place());
                  }
                  return new Content(hash, sizeBytes);
                }
              });
      content.ifPresentOrElse(
          found -> contents.put(leaf.path(), found),
          () -> leftOut.put(leaf.path(), LeftOut.CHANGING));
      return content.map(Content::sizeBytes).orElse(leaf.stat().sizeBytes());
    } catch (StoreException.TooLarge e) {
      leftOut.put(leaf.path(), LeftOut.LARGE);
      return leaf.stat().sizeBytes();
    }
  }

  private void add(WalkedPath.Leaf leaf, Payload blob, Store store) {
    batch.add(leaf);
    blobs.add(blob);
    batchBytes += blob.sizeBytes();
    if (batchBytes > BATCH_BYTES) {
      flush(store);
    }
  }

  private void flush(Store store) {
    if (blobs.isEmpty()) {
      return;
    }
    List<BlobHash> hashes = store.putAll(blobs);
    for (int i = 0; i < hashes.size(); i++) {
      contents.put(batch.get(i).path(), new Content(hashes.get(i), blobs.get(i).sizeBytes()));
    }
    batch.clear();
    blobs.clear();
    batchBytes = 0;
  }

  /// The first bytes of a stream.
  private static final class Beginning extends FilterInputStream {

    private long leftBytes;

    Beginning(InputStream in, long sizeBytes) {
      super(in);
      this.leftBytes = sizeBytes;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (leftBytes == 0) {
        return -1;
      }
      int read = super.read(buffer, offset, (int) Math.min(length, leftBytes));
      leftBytes -= Math.max(read, 0);
      return read;
    }
  }
}
