// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.disk.DiskErrors;
import dev.varve.files.WholeFile;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The notes of a capture for the next one: the files that need not be read again. If the notes are
/// lost, one capture reads every file.
///
/// @param mark the store that has the contents: the signature of
///   [dev.varve.access.StoreAccess#root]
/// @param startedNanos when the walk began, by the clock of the file system
/// @param entries the entries by path; the top's path is empty
record CaptureNotes(String mark, long startedNanos, Map<RepoPath, Entry> entries) {

  static final CaptureNotes NONE = new CaptureNotes("", Long.MIN_VALUE, Map.of());

  private static final String FILE = "notes";
  private static final long MAGIC = 0x7661727665_6601L;
  private static final int ENTRY_BYTES_MIN = 4 + 36 + BlobHash.SIZE_BYTES;

  /// @param hash the hash of a file's content, of a link's target, or of a folder's tree
  record Entry(FileStat stat, BlobHash hash) {}

  /// The certain content of a file or a link; null if the file has to be read.
  @Nullable BlobHash vouched(WalkedPath.Leaf leaf) {
    Entry entry = entries.get(leaf.path());
    return entry == null
            || !entry.stat().equals(leaf.stat())
            || entry.stat().isTooYoung(startedNanos)
        ? null
        : entry.hash();
  }

  @Nullable BlobHash known(RepoPath path) {
    Entry entry = entries.get(path);
    return entry == null ? null : entry.hash();
  }

  /// Reads the notes; [#NONE] if they are damaged, or belong to another store.
  static CaptureNotes read(Path folder, String mark) {
    try {
      byte[] bytes = Files.readAllBytes(folder.resolve(FILE));
      int end = bytes.length - BlobHash.SIZE_BYTES;
      if (end < 0
          || !Arrays.equals(Blake3.hash(bytes, 0, end).bytes(), 0, 32, bytes, end, bytes.length)) {
        return NONE;
      }
      CaptureNotes notes = parse(ByteBuffer.wrap(bytes, 0, end));
      return notes.mark.equals(mark) ? notes : NONE;
    } catch (NoSuchFileException e) {
      return NONE;
    } catch (IOException e) {
      throw DiskErrors.of(folder, "read", e);
    }
  }

  private static CaptureNotes parse(ByteBuffer in) {
    try {
      if (in.getLong() != MAGIC) {
        return NONE;
      }
      String mark = new String(bytes(in), java.nio.charset.StandardCharsets.UTF_8);
      long started = in.getLong();
      int count = in.getInt();
      if (count < 0 || count > in.remaining() / ENTRY_BYTES_MIN) {
        return NONE;
      }
      Map<RepoPath, Entry> entries = HashMap.newHashMap(count);
      for (int i = 0; i < count; i++) {
        RepoPath path = RepoPath.of(bytes(in));
        FileStat stat =
            new FileStat(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getInt());
        byte[] hash = new byte[BlobHash.SIZE_BYTES];
        in.get(hash);
        entries.put(path, new Entry(stat, BlobHash.of(hash)));
      }
      return new CaptureNotes(mark, started, entries);
    } catch (BufferUnderflowException e) {
      return NONE;
    }
  }

  private static byte[] bytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /// Replaces the notes. A power cut may lose the old and the new ones: then every file is read
  /// once more.
  void write(Path folder) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + 120 * entries.size());
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(MAGIC);
      put(out, mark.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      out.writeLong(startedNanos);
      out.writeInt(entries.size());
      for (Map.Entry<RepoPath, Entry> each : entries.entrySet()) {
        put(out, each.getKey().bytes());
        FileStat stat = each.getValue().stat();
        out.writeLong(stat.sizeBytes());
        out.writeLong(stat.modifiedNanos());
        out.writeLong(stat.changedNanos());
        out.writeLong(stat.inode());
        out.writeInt(stat.mode());
        out.write(each.getValue().hash().bytes());
      }
      byte[] body = bytes.toByteArray();
      out.write(Blake3.hash(body).bytes());
    } catch (IOException e) {
      throw new AssertionError("memory that cannot be written", e);
    }
    WholeFile.at(folder.resolve(FILE)).asItsFolder().replaceSoon(bytes.toByteArray());
  }

  private static void put(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
