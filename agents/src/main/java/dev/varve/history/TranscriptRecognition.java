// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.StoreException;
import dev.varve.imports.LineReader;
import dev.varve.imports.SourceFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Optional;

/// Decides, before anything is written, whether a file is a transcript of an agent.
final class TranscriptRecognition implements RecordSink {

  private static final int START_BYTES = 1 << 20;

  private boolean understood;

  private TranscriptRecognition() {}

  /// Refuses a file of another format, and a file of which the profile understands nothing.
  ///
  /// @param content the bytes of the file, unpacked; read as far as needed
  /// @throws StoreException.Invalid if the file is refused
  static void demand(HistoryProfile profile, HistoryFile file, InputStream content)
      throws IOException {
    byte[] start = content.readNBytes(START_BYTES);
    Optional<SourceFormat> format = SourceFormat.of(start);
    if (format.isEmpty() || !profile.reads(format.get())) {
      throw refused(
          profile,
          file,
          format
              .map(SourceFormat::descriptionWithImport)
              .orElse(start.length == 0 ? "an empty file" : "no record of a known agent"));
    }
    TranscriptRecognition recognition = new TranscriptRecognition();
    TranscriptReader reader = profile.reader(file.slot());
    try (LineReader lines =
        file.kind()
            .records(
                new LineReader(
                    new SequenceInputStream(new ByteArrayInputStream(start), content),
                    Long.MAX_VALUE,
                    ViewDerivation.LINE_BYTES_MAX,
                    -1,
                    _ -> {}))) {
      while (!recognition.understood && lines.next()) {
        if (lines.whole()) {
          TranscriptLines.read(lines, profile, reader, recognition);
        }
      }
    }
    reader.end(recognition);
    if (!recognition.understood) {
      throw refused(profile, file, "no record that is one of " + profile.displayName());
    }
  }

  private static StoreException.Invalid refused(
      HistoryProfile profile, HistoryFile file, String found) {
    return profile.format().refusal(file.path(), found);
  }

  @Override
  public void turn(HistoryTurn record) {
    understood = true;
  }

  @Override
  public void bookkeeping() {
    understood = true;
  }

  @Override
  public void unknown() {
    // understood is what the profile knows
  }

  @Override
  public void duplicate() {
    understood = true;
  }

  @Override
  public void unreadable(String why) {
    // as above
  }
}
