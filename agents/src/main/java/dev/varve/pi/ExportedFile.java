// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file that appears whole or not at all, and never in the place of another.
final class ExportedFile {

  private static final int BUFFER_SIZE = 256 << 10;

  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

  private ExportedFile(FileChannel channel) {
    this.channel = channel;
  }

  static void write(Store store, Manifest manifest, Path target) {
    try {
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        demandSame(manifest, target);
        return;
      }
      Path folder = target.toAbsolutePath().getParent();
      Path draft = Files.createTempFile(folder, ".varve-", ".part");
      try {
        fill(store, manifest, draft);
        rename(draft, target);
      } finally {
        Files.deleteIfExists(draft);
      }
      force(folder);
    } catch (FileAlreadyExistsException e) {
      throw taken(target, "a file that appeared meanwhile");
    } catch (IOException e) {
      throw new StoreException.Io(target.toString(), "cannot be written", e);
    } catch (UncheckedIOException e) {
      throw new StoreException.Io(target.toString(), "cannot be written", e);
    }
  }

  private static void demandSame(Manifest manifest, Path target) throws IOException {
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

  private static void fill(Store store, Manifest manifest, Path draft) throws IOException {
    try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      ExportedFile file = new ExportedFile(channel);
      SessionBytes.write(store, manifest, file::take);
      file.flush();
      channel.force(true);
    }
  }

  private void take(byte[] bytes, int size) {
    for (int at = 0; at < size; ) {
      int taken = Math.min(size - at, buffer.remaining());
      buffer.put(bytes, at, taken);
      at += taken;
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
  }

  private void flush() {
    buffer.flip();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    buffer.clear();
  }

  /// A link refuses to take an existing name, in one step; a move only looks first. Some file
  /// systems have no links.
  private static void rename(Path draft, Path target) throws IOException {
    try {
      Files.createLink(target, draft);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | IOException e) {
      Files.move(draft, target);
    }
  }

  /// The name too is to survive a power cut, where the system can be asked for that.
  private static void force(@Nullable Path folder) {
    if (folder == null) {
      return; // the root of a file system
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // a folder cannot be opened everywhere
    }
  }
}
