// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The file of tokens: one line for each token, below a first line that names the format. The file
/// is changed by one process at a time and in one step, so that a running server reads either the
/// old file or the new one.
public record TokenFile(Path path) {

  static final String FIRST_LINE =
      "# varve tokens 2: SHA-256, scopes, requests a second (0: any), time, expiry (-: none), name";

  /// The first line of files from before tokens could expire.
  private static final String FIRST_LINE_OF_VERSION_1 =
      "# varve tokens 1: SHA-256, scopes, requests a second (0: any), time, name";

  /// Far more tokens than any service has.
  private static final long SIZE_BYTES_MAX = 4 << 20;

  /// The tokens in the order in which they were created; none if the file is absent.
  ///
  /// @throws StoreException.Corrupt if the file is not a token file
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
    int version = text.startsWith(FIRST_LINE_OF_VERSION_1 + "\n") ? 1 : 2;
    for (String line : text.split("\n", -1)) {
      if (offset == 0 && version != 1 && !line.equals(FIRST_LINE)) {
        throw new StoreException.Corrupt(path.toString(), 0, FIRST_LINE, "something else");
      }
      if (!line.isBlank() && !line.startsWith("#")) {
        try {
          tokens.add(TokenRecord.parse(line, version));
        } catch (StoreException.Invalid e) {
          // The line may be a token that was pasted by mistake: the message does not repeat it.
          throw new StoreException.Corrupt(
              path.toString(), offset, "a token's line", String.valueOf(e.getMessage()));
        }
      }
      offset += line.getBytes(StandardCharsets.UTF_8).length + 1L;
    }
    return tokens;
  }

  /// Replaces the tokens by the result of `change`. The file is readable by its owner only; the
  /// change is durable on return.
  public void change(UnaryOperator<List<TokenRecord>> change) {
    Path absolute = path.toAbsolutePath();
    Path lockFile = absolute.resolveSibling(absolute.getFileName() + ".lock");
    try {
      Files.createDirectories(absolute.getParent());
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (!lock.isValid()) {
          throw new AssertionError("a lock that was just taken");
        }
        List<TokenRecord> tokens = change.apply(read());
        WholeFile.at(real(absolute)).with(FileAccess.OWNER_ONLY).replace(content(tokens));
      }
    } catch (IOException e) {
      throw new StoreException.Io(path.toString(), "cannot be written", e);
    }
  }

  /// The target of a symbolic link, so that the link stays a link.
  private static Path real(Path path) throws IOException {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS) && Files.exists(path)
        ? path.toRealPath()
        : path;
  }

  private static byte[] content(List<TokenRecord> tokens) {
    StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
    tokens.forEach(token -> text.append(token.line()).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
