// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import dev.varve.disk.FileKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;

/// Opening of files that stand in folders of the user. Anything may have the name of a file there:
/// a pipe, a socket, a device. To open a pipe means to wait for a writer, perhaps for ever, so what
/// is no regular file is refused before it is opened.
public final class RegularFile {

  private RegularFile() {}

  /// Opens `file` for reading.
  ///
  /// @param options further ones, for instance [LinkOption#NOFOLLOW_LINKS]
  /// @throws java.nio.file.NoSuchFileException if there is nothing of this name
  /// @throws IOException if it is no regular file, or cannot be opened
  public static InputStream read(Path file, OpenOption... options) throws IOException {
    demand(file, options);
    return Files.newInputStream(file, options);
  }

  /// Opens `file` as `options` say. It must exist, unless they create it.
  ///
  /// @throws IOException if it is no regular file, or cannot be opened
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      demand(file, options);
    }
    return FileChannel.open(file, options);
  }

  private static void demand(Path file, OpenOption... options) throws IOException {
    FileKind.demandRegular(
        file,
        List.of(options).contains(LinkOption.NOFOLLOW_LINKS)
            ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS}
            : new LinkOption[0]);
  }
}
