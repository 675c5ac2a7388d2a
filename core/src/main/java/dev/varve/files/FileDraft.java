// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// The new content of a [WholeFile] while it is being written, beside the place that it will take.
/// Closed before it took its place, it is gone. For one thread.
public final class FileDraft implements AutoCloseable {

  private static final int BUFFER_BYTES = 64 << 10;

  private final Disk disk;
  private final String target;
  private final DiskFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long writtenBytes;
  private boolean placed;

  FileDraft(Disk disk, String target, DiskFile file) {
    this.disk = disk;
    this.target = target;
    this.file = file;
  }

  /// Adds bytes behind those that were written.
  public void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  /// Adds the bytes of an array from index `from` up to, and without, index `to`.
  public void write(byte[] bytes, int from, int to) {
    if (to - from > buffer.remaining()) {
      flush();
    }
    if (to - from > buffer.remaining()) {
      append(ByteBuffer.wrap(bytes, from, to - from));
    } else {
      buffer.put(bytes, from, to - from);
    }
  }

  /// A stream that adds bytes. Closing it closes nothing.
  public OutputStream out() {
    return new OutputStream() {
      @Override
      public void write(int b) {
        FileDraft.this.write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        FileDraft.this.write(bytes, from, from + length);
      }
    };
  }

  /// The name of the draft in the target's folder, under which all that was written so far can be
  /// read.
  public String name() {
    flush();
    return file.name();
  }

  private void flush() {
    append(buffer.flip());
    buffer.clear();
  }

  private void append(ByteBuffer bytes) {
    int sizeBytes = bytes.remaining();
    file.write(writtenBytes, bytes);
    writtenBytes += sizeBytes;
  }

  /// Takes the place of the target, forced: see [WholeFile#replace].
  public void replace() {
    replace(target);
  }

  /// Takes the place of another file of the target's folder, forced: for content whose name is
  /// known once the content is.
  public void replace(String name) {
    flush();
    file.force();
    disk.replace(file.name(), name);
    placed = true;
    disk.forceNames();
  }

  /// Takes the place of the target, unforced: see [WholeFile#replaceSoon].
  public void replaceSoon() {
    flush();
    disk.replace(file.name(), target);
    placed = true;
  }

  /// Takes the target's name if it is free, forced: see [WholeFile#create].
  ///
  /// @throws dev.varve.StoreException.Conflict if the name is taken
  public void claim() {
    flush();
    file.force();
    disk.claim(file.name(), target);
    disk.forceNames();
  }

  /// Deletes the draft, unless it has taken its place.
  @Override
  public void close() {
    try (file) {
      if (!placed) {
        disk.delete(file.name());
      }
    }
  }
}
