// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.files.RegularFile;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// Reads the rows in a file. The whole file is hashed before any of it is taken for a row. For one
/// file.
final class RowsReader implements AutoCloseable {

  /// Larger files are not read: no service has the memory for their rows.
  private static final long FILE_BYTES_MAX = 4L << 30;

  private static final int PART_BYTES = 1 << 20;

  /// The number of rows and texts between two looks at the memory that they take.
  private static final int STEP = 256;

  private final FileChannel file;
  private final long endBytes;
  private final byte[] partBytes = new byte[PART_BYTES];
  private final ByteBuffer part = RowsFile.buffer(partBytes).limit(0);
  private final RowColumns columns = new RowColumns();
  private final long budgetBytes;
  private long readBytes;

  /// The rows of a file.
  ///
  /// @param turns the number of turns that the store had at the end of the writing
  /// @param history the name that the history of the store had at that moment
  record SavedRows(RowColumns columns, RowsFile.Origin origin, long turns, BlobHash history) {}

  /// @param budgetBytes the memory that rows may take
  /// @throws IOException if there is no file, or it is too small or too large
  RowsReader(Path path, long budgetBytes) throws IOException {
    this.budgetBytes = budgetBytes;
    this.file = RegularFile.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    this.endBytes = file.size() - RowsFile.TRAILER_BYTES;
    if (endBytes < RowsFile.HEADER_BYTES || endBytes > FILE_BYTES_MAX) {
      file.close();
      throw new IOException(endBytes + RowsFile.TRAILER_BYTES + " bytes");
    }
  }

  /// Reads the file.
  ///
  /// @param store the hash of the store's root
  /// @throws IOException if the file is not one of this store in its present state, or is damaged,
  ///   or its rows take too much memory
  SavedRows read(BlobHash store) throws IOException {
    byte[] header = bytes(RowsFile.HEADER_BYTES);
    ByteBuffer in = RowsFile.buffer(header);
    demand(in.getLong() == RowsFile.MAGIC, "another kind of file");
    int version = in.getInt();
    demand(version == RowsFile.VERSION, "version " + version);
    BlobHash found = RowsFile.hash(header, 16);
    demand(found.equals(store), "of another store, or from before an erasure");
    verify();
    in.position(48);
    long overlays = in.getLong();
    int texts = in.getInt();
    int lists = in.getInt();
    readTexts(texts);
    readLists(lists);
    readRows();
    byte[] trailer = bytes(RowsFile.TRAILER_BYTES);
    long turns = RowsFile.buffer(trailer).getLong();
    return new SavedRows(
        columns, new RowsFile.Origin(found, overlays), turns, RowsFile.hash(trailer, Long.BYTES));
  }

  /// Hashes the file, and goes back to where the header ends.
  private void verify() throws IOException {
    Blake3 hash = new Blake3();
    long hashedBytes = endBytes + RowsFile.TRAILER_BYTES - RowsFile.HASH_BYTES;
    file.position(0);
    readBytes = 0;
    part.limit(0);
    while (readBytes < hashedBytes) {
      int length = (int) Math.min(PART_BYTES, hashedBytes - readBytes);
      need(length);
      hash.update(partBytes, part.position(), length);
      skip(length);
    }
    demand(hash.digest().equals(RowsFile.hash(bytes(RowsFile.HASH_BYTES), 0)), "another checksum");
    file.position(RowsFile.HEADER_BYTES);
    readBytes = RowsFile.HEADER_BYTES;
    part.limit(0);
  }

  private void readTexts(int count) throws IOException {
    for (int number = 1; number <= count; number++) {
      demand(columns.texts().add(text()) == number, "a text twice");
      demandRoom(number);
    }
  }

  private void readLists(int count) throws IOException {
    for (int number = 1; number <= count; number++) {
      byte[] list = text();
      demand(list.length % Integer.BYTES == 0, "half a label");
      ByteBuffer labels = RowsFile.buffer(list);
      while (labels.hasRemaining()) {
        int label = labels.getInt();
        demand(label >= 0 && label <= columns.texts().count(), "label " + label);
      }
      demand(columns.lists().add(list) == number, "a list twice");
      demandRoom(number);
    }
  }

  private byte[] text() throws IOException {
    need(Integer.BYTES);
    int length = part.getInt();
    readBytes += Integer.BYTES;
    if (length < 0 || length > TextPool.TEXT_BYTES_MAX) {
      throw new IOException("text of " + length + " bytes");
    }
    return bytes(length);
  }

  private void readRows() throws IOException {
    for (int count = 1; readBytes < endBytes; count++) {
      need(RowColumns.ROW_BYTES);
      int next = part.position() + RowColumns.ROW_BYTES;
      demand(columns.read(part), "no row");
      part.position(next);
      readBytes += RowColumns.ROW_BYTES;
      demandRoom(count);
    }
    demand(readBytes == endBytes, "half a row");
  }

  private void demandRoom(int count) throws IOException {
    if (count % STEP == 0) {
      demand(columns.weightBytes() <= budgetBytes, "too large for this service");
    }
  }

  private static void demand(boolean fine, String found) throws IOException {
    if (!fine) {
      throw new IOException(found);
    }
  }

  private byte[] bytes(int length) throws IOException {
    need(length);
    int from = part.position();
    skip(length);
    return Arrays.copyOfRange(partBytes, from, from + length);
  }

  private void skip(int length) {
    part.position(part.position() + length);
    readBytes += length;
  }

  /// Makes sure that so many bytes are in the buffer.
  private void need(int length) throws IOException {
    if (part.remaining() >= length) {
      return;
    }
    part.compact();
    while (part.position() < length) {
      demand(file.read(part) > 0, "an early end");
    }
    part.flip();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
