// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Blobs that are being received, each in a file `<hash>.part` of a folder. One that breaks off
/// goes on from there next time.
final class IncomingBlobs {

  private static final int PIECE_BYTES = 256 << 10;

  private final Path folder;
  private final TransferBudget budget;
  private final LongConsumer progress;

  IncomingBlobs(Path folder, TransferBudget budget, LongConsumer progress) {
    this.folder = folder;
    this.budget = budget;
    this.progress = progress;
  }

  /// Takes a blob whose hash is right.
  interface Taker {
    void take(Path file) throws IOException;
  }

  /// Receives a blob, verifies it, hands it to `taker`, and forgets it.
  ///
  /// @return false if the source does not have it
  /// @throws StoreException.Corrupt if what the source gives has another hash
  /// @throws StoreException.Busy if another process is receiving it
  boolean fetch(BlobSource source, BlobHash hash, Taker taker) throws IOException {
    FileAccess.OWNER_ONLY.makeFolders(folder);
    Path part = folder.resolve(hash + ".part");
    try (FileChannel channel =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        FileLock lock = lock(channel)) {
      if (lock == null) {
        throw new StoreException.Busy(part.toString(), "another process that receives it");
      }
      Optional<BlobHash> found = receive(source, hash, channel);
      boolean resumed = found.isPresent() && !found.get().equals(hash) && channel.size() > 0;
      if (resumed) {
        channel.truncate(0); // what was here before may be what is wrong
        found = receive(source, hash, channel);
      }
      if (found.isPresent() && found.get().equals(hash)) {
        channel.force(false);
        taker.take(part);
      }
      if (found.isPresent() || channel.size() == 0) {
        Files.deleteIfExists(part); // who waited for our lock may have taken it away
      }
      if (found.isPresent() && !found.get().equals(hash)) {
        throw new StoreException.Corrupt(
            source.describe(), 0, "blob " + hash, "bytes with the hash " + found.get());
      }
      return found.isPresent();
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another thread of this process
    }
  }

  /// The hash of what is there once the source has given the rest. If all is there, as after a
  /// store that was busy, the source is not asked.
  private Optional<BlobHash> receive(BlobSource source, BlobHash hash, FileChannel channel)
      throws IOException {
    long here = channel.size();
    Blake3 hasher = hashOf(channel, here);
    if (here > 0 && hasher.digest().equals(hash)) {
      return Optional.of(hash);
    }
    Optional<BlobSource.Rest> rest = source.open(hash, here);
    if (rest.isEmpty()) {
      return Optional.empty();
    }
    try (BlobSource.Rest open = rest.get()) {
      long from = open.offset();
      if (from > here) {
        throw new IOException("gave bytes from " + from + ", asked for " + here);
      }
      if (from < here) {
        channel.truncate(from);
        hasher = hashOf(channel, from);
      }
      byte[] piece = new byte[PIECE_BYTES];
      for (int read = open.bytes().read(piece); read >= 0; read = open.bytes().read(piece)) {
        hasher.update(piece, 0, read);
        budget.spend(read, hasher.sizeBytes());
        write(channel, piece, read, hasher.sizeBytes() - read);
        progress.accept(hasher.sizeBytes());
      }
      return Optional.of(hasher.digest());
    }
  }

  private static Blake3 hashOf(FileChannel channel, long sizeBytes) throws IOException {
    Blake3 hasher = new Blake3();
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    while (hasher.sizeBytes() < sizeBytes) {
      piece.clear().limit((int) Math.min(PIECE_BYTES, sizeBytes - hasher.sizeBytes()));
      int read = channel.read(piece, hasher.sizeBytes());
      if (read < 0) {
        throw new IOException("was cut while it was read");
      }
      hasher.update(piece.array(), 0, read);
    }
    return hasher;
  }

  private static void write(FileChannel channel, byte[] bytes, int size, long at)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, size);
    while (buffer.hasRemaining()) {
      channel.write(buffer, at + buffer.position());
    }
  }
}
