// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.blob.ZstdInput;
import dev.varve.files.RegularFile;
import dev.varve.imports.CountedFile;
import dev.varve.imports.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/// A file of a session, as an agent keeps it.
///
/// @param slot the file's part in the session, which stays when the file is renamed; the slot of
///   the session's own transcript is [#MAIN]
/// @param name the path relative to the agent's home, with `/` between the folders
/// @param path where the file is now
/// @param kind the kind of content
/// @param source the place from which the bytes come
public record HistoryFile(String slot, String name, Path path, Kind kind, HistorySource source) {

  /// The slot of a session's own transcript.
  public static final String MAIN = "main";

  /// The kind of a file's content.
  public enum Kind {
    /// Lines of records that become turns.
    TRANSCRIPT,
    /// Lines of records, compressed with zstd.
    PACKED_TRANSCRIPT,
    /// A JSON document whose items are records that become turns.
    DOCUMENT,
    /// Lines that stand for rows of a database, and are no file of the agent's. They become turns.
    ROWS,
    /// A file that describes the session and holds no turns. Readers of transcripts are shown it.
    DESCRIPTION,
    /// A file that belongs to the session and holds no turns.
    ATTACHMENT,
    /// A file that the sessions of a project, or all sessions, share: a change makes no new version
    /// of this one, and readers of transcripts are shown it. It is put back only where nothing
    /// lies.
    SHARED,
    /// A file that the sessions of a project share and one of them brings along. It is put back
    /// only where nothing lies.
    PROJECT;

    /// Says whether the file's records become turns.
    public boolean hasTurns() {
      return switch (this) {
        case TRANSCRIPT, PACKED_TRANSCRIPT, DOCUMENT, ROWS -> true;
        case DESCRIPTION, ATTACHMENT, SHARED, PROJECT -> false;
      };
    }

    /// Says whether readers of transcripts are shown the file.
    boolean isDescription() {
      return this == DESCRIPTION || this == SHARED;
    }

    /// Says whether another file in its place stays there.
    boolean givesWay() {
      return this == SHARED || this == PROJECT;
    }

    /// Makes a reader of lines find the records of such a file.
    LineReader records(LineReader lines) {
      return this == DOCUMENT ? lines.items() : lines;
    }
  }

  /// The most bytes that a packed file may hold.
  private static final long UNPACKED_BYTES_MAX = 1L << 40;

  /// Opens the content: of a packed file, the bytes inside.
  InputStream open() throws IOException {
    InputStream bytes = source.open();
    return kind == Kind.PACKED_TRANSCRIPT ? ZstdInput.of(bytes, UNPACKED_BYTES_MAX) : bytes;
  }

  /// A file below a home.
  public static HistoryFile below(Path home, Path file, String slot, Kind kind) {
    String name = home.relativize(file).toString().replace('\\', '/');
    return new HistoryFile(slot, name, file, kind, new FileOnDisk(file));
  }

  private record FileOnDisk(Path path) implements HistorySource {
    @Override
    public FileStamp stamp() throws IOException {
      return FileStamp.of(path);
    }

    @Override
    public Optional<CountedFile> file() throws IOException {
      return Optional.of(new CountedFile(path));
    }

    @Override
    public InputStream open() throws IOException {
      return RegularFile.read(path);
    }
  }
}
