// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// An entry of git's index, read from the index file itself: a file as git last saw it.
///
/// @param mode as in a tree
/// @param id the object id of the content
/// @param stat the facts about the file when git last looked
public record IndexEntry(RepoPath path, int mode, String id, Stat stat) {

  /// The facts by which a changed file is recognised. Sizes and inodes are cut to 32 bits; a size
  /// of 0 of a file that is not empty means that git was not sure.
  ///
  /// @param changedAt when content, name or mode were last changed (its ctime), in nanoseconds
  /// @param modifiedAt when content was last changed (its mtime), in nanoseconds
  public record Stat(long changedAt, long modifiedAt, int inode, int sizeBytes) {}

  private static final int SIGNATURE = 0x44495243; // "DIRC"
  private static final int FIXED_BYTES = 40;
  private static final int EXTENDED = 0x4000;

  /// Reads an index of version 2 or 3 that no git writes at the moment.
  ///
  /// @param idBytes the length of an object's id
  /// @throws StoreException.Corrupt if the file is not such an index
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
    Stat stat =
        new Stat(
            nanos(in, start), nanos(in, start + 8), in.getInt(start + 20), in.getInt(start + 36));
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
    String id = HexFormat.of().formatHex(bytes, start + FIXED_BYTES, start + FIXED_BYTES + idBytes);
    return new IndexEntry(RepoPath.of(path), mode, id, stat);
  }

  private static long nanos(ByteBuffer in, int at) {
    return Integer.toUnsignedLong(in.getInt(at)) * 1_000_000_000L + in.getInt(at + 4);
  }

  /// The time of the last change of the file's content, name or mode.
  public long changedAtSeconds() {
    return stat.changedAt() / 1_000_000_000L;
  }
}
