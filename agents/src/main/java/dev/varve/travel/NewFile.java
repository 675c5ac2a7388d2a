// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file that appears under its name whole or not at all, and never in the place of another. It is
/// written beside its place; closing it before it appeared leaves nothing.
public final class NewFile implements AutoCloseable {

  private static final int PIECE_BYTES = 256 << 10;

  private final Path target;
  private final Path draft;
  private final FileChannel channel;

  private NewFile(Path target, Path draft, FileChannel channel) {
    this.target = target;
    this.draft = draft;
    this.channel = channel;
  }

  /// Begins one in the folder of `target`, which must exist.
  public static NewFile beside(Path target) throws IOException {
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IOException(target + ": has no folder");
    }
    Path draft = Files.createTempFile(folder, ".varve-", ".part");
    return new NewFile(target, draft, FileChannel.open(draft, StandardOpenOption.WRITE));
  }

  /// Writes what `in` gives, up to its end.
  ///
  /// @throws StoreException.Corrupt if that has another hash than `expected`
  public void fill(InputStream in, BlobHash expected) throws IOException {
    Blake3 hasher = new Blake3();
    OutputStream out = out();
    byte[] piece = new byte[PIECE_BYTES];
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      hasher.update(piece, 0, read);
      out.write(piece, 0, read);
    }
    BlobHash found = hasher.digest();
    if (!found.equals(expected)) {
      throw new StoreException.Corrupt(
          target.toString(), 0, "bytes with the hash " + expected, "hash " + found);
    }
  }

  /// To write it piece by piece. Closing this closes nothing.
  public OutputStream out() {
    return Channels.newOutputStream(channel);
  }

  /// Gives it its name. When it returns, the disk has both.
  ///
  /// @throws FileAlreadyExistsException if something has that name
  public void appear() throws IOException {
    channel.force(true);
    try {
      Files.createLink(target, draft); // refuses to take an existing name, in one step
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | IOException e) {
      Files.move(draft, target); // not every file system has links; this only looks first
    }
    force(target.toAbsolutePath().getParent());
  }

  private static void force(@Nullable Path folder) {
    if (folder == null) {
      return; // the root of a file system
    }
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      // a folder cannot be opened everywhere
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(draft);
  }
}
