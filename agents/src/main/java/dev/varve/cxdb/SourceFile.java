// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.StoreException;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ProblemList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A file of the directory, read through a window. An absent file is empty.
///
/// The size of the file is read once, when the file is opened, because a server may continue to
/// write.
final class SourceFile implements AutoCloseable {

  private static final int WINDOW_BYTES = 1 << 20;

  private final Path file;
  private final String name;
  private final @Nullable FileChannel channel;
  private final long sizeBytes;
  private final ImportListener listener;

  private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private ByteBuffer apart = ByteBuffer.allocate(0);
  private long windowFrom;
  private long readBytes;
  private int windowSize;

  private SourceFile(
      Path file,
      String name,
      @Nullable FileChannel channel,
      long sizeBytes,
      ImportListener listener) {
    this.file = file;
    this.name = name;
    this.channel = channel;
    this.sizeBytes = sizeBytes;
    this.listener = listener;
  }

  static SourceFile open(Path directory, String name, ImportListener listener) {
    Path file = directory.resolve(name);
    if (!Files.isRegularFile(file)) {
      return new SourceFile(file, name, null, 0, listener);
    }
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      return new SourceFile(file, name, channel, channel.size(), listener);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be opened", e);
    }
  }

  /// Adds the problem that the bytes from `from` to `to` of a file are no record.
  static void reportDamage(ProblemList problems, String file, long from, long to) {
    problems.add(file, from, (to - from) + " bytes are no whole record");
  }

  String name() {
    return name;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /// The `length` bytes at `offset`, little-endian, at positions 0 to `length`; valid until the
  /// next call. The bytes must be within the file and at most [#most()].
  ByteBuffer at(long offset, int length) {
    if (offset < windowFrom || offset + length > windowFrom + windowSize) {
      load(offset);
    }
    if (offset + length > windowFrom + windowSize) {
      throw new IndexOutOfBoundsException(name + ": " + length + " bytes at " + offset);
    }
    return window.slice((int) (offset - windowFrom), length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// The largest number of bytes that one call can read.
  static int most() {
    return WINDOW_BYTES;
  }

  /// A copy of the `length` bytes at `offset`, of any length.
  byte[] copy(long offset, int length) {
    byte[] bytes = new byte[length];
    for (int done = 0; done < length; ) {
      int size = Math.min(WINDOW_BYTES, length - done);
      at(offset + done, size).get(bytes, done, size);
      done += size;
    }
    return bytes;
  }

  /// The `length` bytes at `offset`, read past the window, for callers that read at scattered
  /// places; valid until the next call of this method. The bytes must be within the file.
  ByteBuffer apart(long offset, int length) {
    if (apart.capacity() < length) {
      apart = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
    readInto(apart.clear().limit(length), offset);
    return apart.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void load(long offset) {
    listener.reading(file, offset, sizeBytes);
    window.clear().limit((int) Math.min(WINDOW_BYTES, Math.max(0, sizeBytes - offset)));
    windowFrom = offset;
    readInto(window, offset);
    windowSize = window.position();
  }

  private void readInto(ByteBuffer target, long offset) {
    readBytes += target.remaining();
    try {
      while (channel != null && target.hasRemaining()) {
        if (channel.read(target, offset + target.position()) < 0) {
          throw new StoreException.Corrupt(
              name, offset + target.position(), sizeBytes + " bytes", "the end");
        }
      }
    } catch (IOException e) {
      throw new StoreException.Io(name, "cannot be read", e);
    }
  }

  /// The number of bytes read from the disk so far.
  long readBytes() {
    return readBytes;
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new StoreException.Io(name, "cannot be closed", e);
    }
  }
}
