// SPDX-License-Identifier: Apache-2.0
package dev.varve.session;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Entries read again, one at a time, from where they lie.
public final class EntryReader implements AutoCloseable {

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer window = ByteBuffer.allocate(EntryWords.LOOK_BYTES);

  private EntryReader(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /// @throws StoreException.Io if the file cannot be read
  public static EntryReader open(Path file) {
    try {
      return new EntryReader(file, FileChannel.open(file, StandardOpenOption.READ));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// What the bytes at `offset` say. Of a large entry only the beginning is read.
  public EntryWords words(long offset, int sizeBytes) {
    window.clear().limit(Math.min(sizeBytes, window.capacity()));
    try {
      while (window.hasRemaining() && channel.read(window, offset + window.position()) >= 0) {}
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    return EntryWords.of(window.array(), 0, window.position());
  }

  static StoreException.Io unreadable(Path file, IOException e) {
    return new StoreException.Io(file.toString(), "cannot be read", e);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }
}
