// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The first line of a session file, which says whose session it is. What it says is a claim: it
/// may come from anywhere, and nothing in it is a path or a name before somebody has checked it.
///
/// @param version 1 if the line names none, as Pi's first format did; 0 if it is no number
/// @param cwd the folder the session was held in, on the computer it was held on; may be empty
/// @param parentSession the file it was forked from, on that computer
/// @param from where the line begins in the file
/// @param to where it ends: its line feed, if it has one
public record SessionHeader(
    String id,
    int version,
    String cwd,
    @Nullable String timestamp,
    @Nullable String parentSession,
    int from,
    int to) {

  /// The number of bytes in which a header is looked for, as in Pi.
  public static final int SCAN_BYTES_MAX = 1 << 20;

  /// A header is asked of thousands of files at once: most are found in this much.
  private static final int FIRST_READ_BYTES = 4096;

  /// The header of `file`; empty if the first line of it that is JSON is no header, or if it is no
  /// regular file.
  ///
  /// @throws StoreException.Io if the file cannot be read
  public static Optional<SessionHeader> find(Path file) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty(); // a pipe would be waited for
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(FIRST_READ_BYTES);
      if (start.length < FIRST_READ_BYTES || lineFeed(start, 0) < start.length) {
        Optional<SessionHeader> near = find(start);
        if (near.isPresent() || start.length < FIRST_READ_BYTES) {
          return near;
        }
      }
      byte[] more = in.readNBytes(SCAN_BYTES_MAX - start.length);
      byte[] all = new byte[start.length + more.length];
      System.arraycopy(start, 0, all, 0, start.length);
      System.arraycopy(more, 0, all, start.length, more.length);
      return find(all);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// The header among the lines of `start`, the first bytes of a file.
  public static Optional<SessionHeader> find(byte[] start) {
    for (int from = 0; from < start.length; ) {
      int to = lineFeed(start, from);
      switch (RecordParser.line(start, from, to)) {
        case SessionRecord.Header header -> {
          return Optional.of(
              new SessionHeader(
                  header.id(),
                  header.version(),
                  header.cwd(),
                  header.timestamp(),
                  header.parentSession(),
                  from,
                  to));
        }
        case SessionRecord.Blank _, SessionRecord.Damaged _ -> from = to + 1; // as Pi does
        case SessionRecord.Entry _, SessionRecord.Foreign _ -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static int lineFeed(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return at;
  }
}
