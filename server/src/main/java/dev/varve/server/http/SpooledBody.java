// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A body that is produced before it is sent, because its size must be known first. It is kept in
/// memory while it is small, and in a temporary file beyond that.
final class SpooledBody extends OutputStream {

  private static final int MEMORY_BYTES_MAX = 1 << 20;

  private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
  private @Nullable Path file;
  private @Nullable OutputStream disk;
  private long sizeBytes;

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    sizeBytes += length;
    if (disk == null && sizeBytes > MEMORY_BYTES_MAX) {
      file = Files.createTempFile("varve-answer", null);
      disk = Files.newOutputStream(file);
      memory.writeTo(disk);
      memory.reset();
    }
    if (disk == null) {
      memory.write(bytes, offset, length);
    } else {
      disk.write(bytes, offset, length);
    }
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /// Copies everything that was written to `out`.
  void copyTo(OutputStream out) throws IOException {
    if (disk == null || file == null) {
      memory.writeTo(out);
      return;
    }
    disk.flush();
    try (InputStream in = Files.newInputStream(file)) {
      in.transferTo(out);
    }
  }

  /// Deletes the temporary file.
  @Override
  public void close() throws IOException {
    if (disk != null) {
      disk.close();
    }
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
