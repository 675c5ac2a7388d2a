// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A file that appears whole or not at all, and never in the place of another.
///
/// Until then it is a draft beside its place. A process that is killed leaves the draft, named
/// `.varve-….part`. Who may read it is the user's umask to say, as of any file that the user makes.
public final class NewFile implements AutoCloseable {

  private static final int BUFFER_SIZE = 256 << 10;

  private final Path target;
  private final Path draft;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_SIZE);

  private NewFile(Path target, Path draft, FileChannel channel) {
    this.target = target;
    this.draft = draft;
    this.channel = channel;
  }

  /// @throws StoreException.Conflict if there is such a file already
  /// @throws StoreException.Io if no file can be written there
  public static NewFile at(Path target) {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw taken(target, "a file");
    }
    Path draft = target.toAbsolutePath().resolveSibling(".varve-" + UUID.randomUUID() + ".part");
    try {
      return new NewFile(
          target,
          draft,
          FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    } catch (IOException e) {
      throw unwritable(target, e);
    }
  }

  private static StoreException.Conflict taken(Path target, String found) {
    return new StoreException.Conflict(target.toString(), "no file of this name", found);
  }

  private static StoreException.Io unwritable(Path target, IOException e) {
    return new StoreException.Io(target.toString(), "cannot be written", e);
  }

  /// Adds bytes behind what was written.
  public void write(byte[] bytes, int from, int to) {
    for (int at = from; at < to; ) {
      int taken = Math.min(to - at, buffer.remaining());
      buffer.put(bytes, at, taken);
      at += taken;
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
  }

  /// Adds what `in` gives, up to its end.
  ///
  /// @throws StoreException.Corrupt if that has another hash than `expected`
  /// @throws IOException if `in` cannot be read
  public void fill(InputStream in, BlobHash expected) throws IOException {
    Blake3 hasher = new Blake3();
    byte[] piece = new byte[BUFFER_SIZE];
    for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
      hasher.update(piece, 0, read);
      write(piece, 0, read);
    }
    BlobHash found = hasher.digest();
    if (!found.equals(expected)) {
      throw new StoreException.Corrupt(
          target.toString(), 0, "bytes with the hash " + expected, "hash " + found);
    }
  }

  /// To add bytes as a stream takes them. Closing it closes nothing.
  public OutputStream out() {
    return new OutputStream() {
      @Override
      public void write(int b) {
        NewFile.this.write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        NewFile.this.write(bytes, from, from + length);
      }
    };
  }

  private void flush() {
    buffer.flip();
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      throw unwritable(target, e);
    }
    buffer.clear();
  }

  /// Where the draft lies, with all that was written so far.
  public Path draft() {
    flush();
    return draft;
  }

  /// Puts the file into its place. It survives a power cut when this returns.
  ///
  /// @throws StoreException.Conflict if another file has appeared there
  public void appear() {
    flush();
    try {
      channel.force(true);
      channel.close();
      rename();
      force(target.toAbsolutePath().getParent());
    } catch (FileAlreadyExistsException e) {
      throw taken(target, "a file that appeared meanwhile");
    } catch (IOException e) {
      throw unwritable(target, e);
    }
  }

  /// A link refuses to take an existing name, in one step; a move only looks first. Some file
  /// systems have no links.
  private void rename() throws IOException {
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

  /// Takes the draft away.
  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(draft);
    } catch (IOException e) {
      throw unwritable(target, e);
    }
  }
}
