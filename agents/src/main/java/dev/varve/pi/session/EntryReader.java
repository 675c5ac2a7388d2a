// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.StoreException;
import dev.varve.files.RegularFile;
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
      return new EntryReader(file, RegularFile.open(file, StandardOpenOption.READ));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// The text of the entry at `offset`. Of a large entry only the beginning is read.
  public EntryWords words(long offset, int sizeBytes) {
    window.clear().limit(Math.min(sizeBytes, window.capacity()));
    try {
      while (window.hasRemaining() && channel.read(window, offset + window.position()) >= 0) {}
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    return EntryWords.of(window.array(), 0, window.position());
  }

  /// All bytes of an entry, if it is not too long to be looked at as a whole; else none.
  public byte[] bytes(long offset, int sizeBytes) {
    if (sizeBytes > SessionReader.LINE_BYTES_MAX) {
      return new byte[0];
    }
    ByteBuffer all = ByteBuffer.allocate(sizeBytes);
    try {
      while (all.hasRemaining() && channel.read(all, offset + all.position()) >= 0) {}
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    return all.array();
  }

  /// The id of an entry as it is written; empty if it has none.
  public String id(long offset, int sizeBytes) {
    byte[] bytes = bytes(offset, sizeBytes);
    String[] id = {""};
    SessionSlice.pieces(
        bytes,
        0,
        bytes.length,
        (record, _, _) -> {
          if (record instanceof SessionRecord.Entry entry && entry.id() != null) {
            id[0] = entry.id();
          }
        });
    return id[0];
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
