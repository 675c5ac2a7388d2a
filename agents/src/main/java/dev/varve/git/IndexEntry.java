// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What git's index knows of a file, read from the index file itself.
///
/// @param changedAtSeconds when the file's content or mode was last changed (its ctime)
/// @param mode as in a tree
public record IndexEntry(RepoPath path, long changedAtSeconds, int mode) {

  private static final int SIGNATURE = 0x44495243; // "DIRC"
  private static final int FIXED_BYTES = 40;
  private static final int EXTENDED = 0x4000;

  /// Reads an index of version 2 or 3 that no git writes at the moment.
  ///
  /// @param idBytes how long an object's id is
  /// @throws StoreException.Corrupt if it is no such index
  public static List<IndexEntry> read(Path file, int idBytes) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "read: " + e.getMessage(), e);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length < 12 || in.getInt() != SIGNATURE) {
      throw new StoreException.Corrupt(file.toString(), 0, "an index", "something else");
    }
    int version = in.getInt();
    int count = in.getInt();
    if (version < 2 || version > 3 || count < 0 || count > bytes.length / FIXED_BYTES) {
      throw new StoreException.Corrupt(
          file.toString(), 4, "version 2 or 3", "version " + version + ", " + count + " entries");
    }
    List<IndexEntry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(entry(file, in, bytes, idBytes));
    }
    return entries;
  }

  private static IndexEntry entry(Path file, ByteBuffer in, byte[] bytes, int idBytes) {
    int start = in.position();
    if (bytes.length - start < FIXED_BYTES + idBytes + 2) {
      throw new StoreException.Corrupt(file.toString(), start, "an entry", "the end");
    }
    long changedAt = Integer.toUnsignedLong(in.getInt(start));
    int mode = in.getInt(start + 24);
    int flagsAt = start + FIXED_BYTES + idBytes;
    int name = flagsAt + ((in.getShort(flagsAt) & EXTENDED) != 0 ? 4 : 2);
    int end = name;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    // Entries are padded with one to eight NULs to a multiple of eight.
    int next = start + ((end - start) / 8 + 1) * 8;
    if (next > bytes.length) {
      throw new StoreException.Corrupt(file.toString(), start, "an entry", "the end");
    }
    in.position(next);
    byte[] path = new byte[end - name];
    System.arraycopy(bytes, name, path, 0, path.length);
    return new IndexEntry(RepoPath.of(path), changedAt, mode);
  }
}
