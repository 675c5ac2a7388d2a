// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.history.FileStamp;
import dev.varve.history.HistorySource;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A part of the rows of a session, as lines.
///
/// @param rows writes the lines
/// @param stamp as it was when the database was listed
public record SessionRows(RowWriter rows, FileStamp stamp) implements HistorySource {

  /// Writes the rows that a database has now.
  @FunctionalInterface
  public interface RowWriter {
    void write(OutputStream out) throws IOException;
  }

  /// Writes the lines into a file that is deleted when the stream is closed: a session may be
  /// larger than the heap.
  @Override
  public InputStream open() throws IOException {
    Path lines = Files.createTempFile("varve-rows", ".jsonl");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(lines))) {
        rows.write(out);
      }
      return Files.newInputStream(lines, StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(lines);
      throw e;
    }
  }
}
