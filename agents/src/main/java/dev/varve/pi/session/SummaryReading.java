// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.files.RegularFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Reads the facts about a session that a list shows: the beginning of the file up to the first
/// prompt, and the end up to the last entry.
final class SummaryReading {

  /// The size of one read at either end. The first 6 KB of a session of Pi 1.6 are its system
  /// message.
  private static final int STEP_BYTES = 16 << 10;

  /// The bound of the search: a prompt may stand behind large images, and the last line may be an
  /// image.
  private static final int LOOK_BYTES_MAX = 1 << 20;

  private final FileChannel channel;
  private final long sizeBytes;
  private long readBytes;

  private SessionRecord.@Nullable Header header;
  private boolean headed;
  private String name = "";
  private String firstPrompt = "";
  private @Nullable Instant lastActiveAt;
  private long entries;

  private SummaryReading(FileChannel channel) throws IOException {
    this.channel = channel;
    this.sizeBytes = channel.size();
  }

  static SessionSummary of(Path file, boolean whole) {
    try {
      return read(file, whole);
    } catch (IOException e) {
      throw EntryReader.unreadable(file, e);
    }
  }

  private static SessionSummary read(Path file, boolean whole) throws IOException {
    Instant changed = Files.getLastModifiedTime(file).toInstant();
    try (FileChannel channel = RegularFile.open(file, StandardOpenOption.READ)) {
      SummaryReading reading = new SummaryReading(channel);
      boolean all;
      if (whole) {
        reading.everything(file);
        all = true;
      } else {
        long front = reading.beginning();
        all = front >= reading.sizeBytes;
        if (!all) {
          reading.end();
        }
      }
      return new SessionSummary(
          file,
          reading.header,
          reading.name,
          reading.firstPrompt,
          reading.lastActiveAt == null ? changed : reading.lastActiveAt,
          reading.sizeBytes,
          all ? reading.entries : -1,
          reading.readBytes);
    }
  }

  private void everything(Path file) {
    try (SessionReader pieces = SessionReader.open(file)) {
      while (pieces.next()) {
        take(pieces.record(), pieces.bytes(), pieces.from(), pieces.to());
      }
      readBytes = pieces.readBytes();
    }
  }

  /// @return the number of bytes that were read from the beginning
  private long beginning() throws IOException {
    byte[] read = new byte[0];
    int done = 0;
    while (true) {
      long left = Math.min(sizeBytes, LOOK_BYTES_MAX) - read.length;
      if (left == 0) {
        break;
      }
      read = grown(read, (int) Math.min(left, Math.max(STEP_BYTES, read.length)), false);
      done = lines(read, done, read.length == sizeBytes);
      if (!firstPrompt.isEmpty() && read.length < sizeBytes) {
        break;
      }
    }
    if (read.length == sizeBytes) {
      return sizeBytes;
    }
    if (done == 0) {
      opening(read);
    }
    return done;
  }

  /// Reads a first line that is longer than the search.
  private void opening(byte[] read) {
    take(SessionSlice.opening(read, 0, read.length), read, 0, read.length);
  }

  /// Reads the whole lines from `from` on.
  ///
  /// @param ends whether the bytes end with the file
  /// @return the beginning of the first line that is not whole
  private int lines(byte[] bytes, int from, boolean ends) {
    int start = from;
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        line(bytes, start, i);
        start = i + 1;
      }
    }
    if (ends && start < bytes.length) {
      line(bytes, start, bytes.length);
      start = bytes.length;
    }
    return start;
  }

  private void line(byte[] bytes, int from, int to) {
    SessionSlice.pieces(
        bytes, from, to, (record, pieceFrom, pieceTo) -> take(record, bytes, pieceFrom, pieceTo));
  }

  /// Reads the last lines, in windows that grow until one holds an entry.
  private void end() throws IOException {
    int most = (int) Math.min(sizeBytes, LOOK_BYTES_MAX);
    long entriesBefore = entries;
    String nameBefore = name;
    byte[] read = new byte[0];
    do {
      int more = Math.min(most - read.length, Math.max(STEP_BYTES, 3 * read.length));
      read = grown(read, more, true);
      entries = 0;
      name = nameBefore;
      lines(read, afterLineFeed(read), true);
    } while (entries == 0 && read.length < most);
    entries = entriesBefore;
  }

  private static int afterLineFeed(byte[] bytes) {
    int at = 0;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, bytes.length);
  }

  private byte[] grown(byte[] read, int more, boolean atEnd) throws IOException {
    byte[] all = new byte[read.length + more];
    System.arraycopy(read, 0, all, atEnd ? more : 0, read.length);
    long position = atEnd ? sizeBytes - all.length : read.length;
    ByteBuffer target = ByteBuffer.wrap(all, atEnd ? 0 : read.length, more);
    long begin = target.position();
    while (target.hasRemaining()) {
      int got = channel.read(target, position + target.position() - begin);
      if (got < 0) {
        throw new IOException("became shorter while it was read");
      }
      readBytes += got;
    }
    return all;
  }

  private void take(SessionRecord record, byte[] bytes, int from, int to) {
    switch (record) {
      case SessionRecord.Header found -> {
        if (!headed) {
          header = found;
          headed = true;
          time(found.timestamp());
        }
      }
      case SessionRecord.Entry entry -> {
        headed = true; // one that comes later is none for Pi
        entries++;
        EntryWords words = EntryWords.of(bytes, from, to);
        time(words.timestamp());
        if (words.kind() == EntryKind.USER && firstPrompt.isEmpty()) {
          firstPrompt = words.text();
        }
        if (entry.name() != null) {
          name = entry.name().strip();
        }
      }
      case SessionRecord.Foreign _ -> headed = true;
      case SessionRecord.Damaged _, SessionRecord.Blank _ -> {}
    }
  }

  private void time(@Nullable String timestamp) {
    try {
      if (timestamp != null) {
        lastActiveAt = Instant.parse(timestamp);
      }
    } catch (DateTimeException e) {
      // of no use; the one before counts
    }
  }
}
