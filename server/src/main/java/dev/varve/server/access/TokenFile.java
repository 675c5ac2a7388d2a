// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The file that the tokens are kept in, a line a token under a first line that says what it is.
/// Changed by one process at a time and in one step, so that a server that reads it meanwhile sees
/// the old file or the new one.
public record TokenFile(Path path) {

  static final String FIRST_LINE =
      "# varve tokens 1: SHA-256, scopes, requests a second (0: any), time, name";

  /// Far more tokens than anybody hands out.
  private static final long SIZE_BYTES_MAX = 4 << 20;

  /// The tokens, in the order in which they were made. None if there is no file.
  ///
  /// @throws StoreException.Corrupt if the file is something else
  public List<TokenRecord> read() {
    try {
      if (Files.size(path) > SIZE_BYTES_MAX) {
        throw new StoreException.TooLarge(path.toString(), Files.size(path), SIZE_BYTES_MAX);
      }
      return parse(Files.readString(path, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (CharacterCodingException e) {
      throw new StoreException.Corrupt(path.toString(), 0, "tokens", "bytes that are not UTF-8");
    } catch (IOException e) {
      throw new StoreException.Io(path.toString(), "cannot be read", e);
    }
  }

  private List<TokenRecord> parse(String text) {
    List<TokenRecord> tokens = new ArrayList<>();
    long offset = 0;
    for (String line : text.split("\n", -1)) {
      if (offset == 0 && !line.equals(FIRST_LINE)) {
        throw new StoreException.Corrupt(path.toString(), 0, FIRST_LINE, "something else");
      }
      if (!line.isBlank() && !line.startsWith("#")) {
        try {
          tokens.add(TokenRecord.parse(line));
        } catch (StoreException.Invalid e) {
          // The line may be a token somebody put there by mistake: it is not repeated.
          throw new StoreException.Corrupt(
              path.toString(), offset, "a token's line", String.valueOf(e.getMessage()));
        }
      }
      offset += line.getBytes(StandardCharsets.UTF_8).length + 1L;
    }
    return tokens;
  }

  /// Replaces the tokens by what `change` makes of them. Readable by its owner only, durable on
  /// return.
  public void change(UnaryOperator<List<TokenRecord>> change) {
    Path absolute = path.toAbsolutePath();
    Path lockFile = absolute.resolveSibling(absolute.getFileName() + ".lock");
    Path next = absolute.resolveSibling(absolute.getFileName() + ".new");
    try {
      Files.createDirectories(absolute.getParent());
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (!lock.isValid()) {
          throw new AssertionError("a lock that was just taken");
        }
        List<TokenRecord> tokens = change.apply(read());
        Files.deleteIfExists(next);
        write(next, tokens);
        Files.move(next, real(absolute), StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new StoreException.Io(path.toString(), "cannot be written", e);
    }
  }

  /// Where a symbolic link leads, so that it stays one.
  private static Path real(Path path) throws IOException {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS) && Files.exists(path)
        ? path.toRealPath()
        : path;
  }

  private static void write(Path file, List<TokenRecord> tokens) throws IOException {
    StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
    tokens.forEach(token -> text.append(token.line()).append('\n'));
    if (Files.getFileStore(file.getParent()).supportsFileAttributeView("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.UTF_8.encode(text.toString()));
      channel.force(true);
    }
  }
}
