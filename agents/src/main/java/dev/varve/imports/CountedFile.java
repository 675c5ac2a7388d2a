// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.files.RegularFile;
import dev.varve.hash.Blake3;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/// A file that is read here and there, and how much of it was.
public final class CountedFile implements AutoCloseable {

  private static final int PIECE_BYTES = 1 << 20;

  private final FileChannel channel;
  private long bytesRead;

  /// Opens a regular file for reading.
  ///
  /// @throws IOException if it is none, or cannot be opened
  public CountedFile(Path file) throws IOException {
    channel = RegularFile.open(file, StandardOpenOption.READ);
  }

  /// The bytes from `at` on.
  ///
  /// @throws EOFException if the file ends before
  public byte[] read(long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    read(at, ByteBuffer.wrap(bytes));
    return bytes;
  }

  /// Lets `hasher` take the bytes from `from` to `to`.
  ///
  /// @param progress receives, after each piece, the offset up to which bytes are hashed
  public void hash(long from, long to, Blake3 hasher, LongConsumer progress) throws IOException {
    byte[] piece = new byte[(int) Math.min(PIECE_BYTES, to - from)];
    for (long at = from; at < to; ) {
      int length = (int) Math.min(piece.length, to - at);
      read(at, ByteBuffer.wrap(piece, 0, length));
      hasher.update(piece, 0, length);
      at += length;
      progress.accept(at);
    }
  }

  private void read(long from, ByteBuffer target) throws IOException {
    long at = from;
    while (target.hasRemaining()) {
      int read = channel.read(target, at);
      if (read < 0) {
        throw new EOFException("ends at byte " + at);
      }
      at += read;
      bytesRead += read;
    }
  }

  /// The number of bytes that were read so far.
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
