// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Small files of our own, replaced as wholes.
public final class SmallFile {

  private SmallFile() {}

  /// Once this returns, the file has this text even after a power cut; before, it has the old one.
  public static void replace(Path file, String text) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      try (FileChannel out = FileChannel.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING)) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(fresh, file, ATOMIC_MOVE);
      forceNames(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw refusal(file, "write", e);
    }
  }

  /// The same, but a power cut may leave the old text, or none: for what can be made again.
  static void replaceSoon(Path file, String text) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(fresh, text);
      Files.move(fresh, file, ATOMIC_MOVE);
    } catch (IOException e) {
      throw refusal(file, "write", e);
    }
  }

  public static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw refusal(file, "read", e);
    }
  }

  public static void delete(Path file) {
    try {
      if (Files.deleteIfExists(file)) {
        forceNames(file.toAbsolutePath().getParent());
      }
    } catch (IOException e) {
      throw refusal(file, "delete", e);
    }
  }

  /// What tells a file that was changed or replaced from one that was not, without reading it.
  public static String signature(Path file) {
    try {
      BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
      return facts.size() + "-" + facts.lastModifiedTime() + "-" + facts.fileKey();
    } catch (IOException e) {
      return "none";
    }
  }

  /// Where folders cannot be opened, as on Windows, the file system keeps names by itself.
  static void forceNames(@Nullable Path folder) throws IOException {
    if (folder != null && java.io.File.separatorChar == '/') {
      try (FileChannel names = FileChannel.open(folder, READ)) {
        names.force(true);
      }
    }
  }

  public static StoreException refusal(Path file, String what, IOException e) {
    String said = String.valueOf(e.getMessage());
    return said.contains("No space left") || said.contains("quota exceeded")
        ? new StoreException.Full(file.toString(), e)
        : new StoreException.Io(file.toString(), what + ": " + e.getClass().getSimpleName(), e);
  }
}
