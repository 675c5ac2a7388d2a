// SPDX-License-Identifier: Apache-2.0
package dev.varve.branch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Small files that are replaced in one step: a reader sees the former bytes or the new ones, after
/// a crash too.
final class AtomicFile {

  private AtomicFile() {}

  /// Replaces `target`, which need not exist. When it returns, the disk has the new bytes.
  static void replace(Path target, byte[] bytes) throws IOException {
    write(target, bytes, channel -> channel.force(true));
  }

  /// Replaces `target`; a power cut may leave anything there.
  static void replaceUnforced(Path target, byte[] bytes) throws IOException {
    write(target, bytes, _ -> {});
  }

  private interface Ending {
    void end(FileChannel channel) throws IOException;
  }

  private static void write(Path target, byte[] bytes, Ending ending) throws IOException {
    Path folder = target.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IOException(target + ": has no folder");
    }
    Path draft = Files.createTempFile(folder, ".varve-", ".part");
    try {
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        ending.end(channel);
      }
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
