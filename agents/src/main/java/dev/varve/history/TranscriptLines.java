// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.Payload;
import dev.varve.history.bytes.ElidedLine;
import dev.varve.imports.LineReader;
import java.util.Arrays;

/// Makes a transcript's line of the line or item that a reader of lines stands at.
final class TranscriptLines {

  private TranscriptLines() {}

  static TranscriptLine of(LineReader lines, HistoryProfile profile) {
    byte[] raw = Arrays.copyOfRange(lines.buffer(), lines.from(), lines.to());
    byte[] kept = ElidedLine.of(raw, profile.elided()).kept();
    return new TranscriptLine(raw, Payload.wrap(kept), lines.number(), lines.ended());
  }

  /// The line or item, of which is known what is kept of it.
  static TranscriptLine of(LineReader lines, Payload kept) {
    byte[] raw = Arrays.copyOfRange(lines.buffer(), lines.from(), lines.to());
    return new TranscriptLine(raw, kept, lines.number(), lines.ended());
  }

  /// Hands the line, or the piece of a document, to a reader of transcripts.
  static void read(
      LineReader lines, HistoryProfile profile, TranscriptReader reader, RecordSink sink) {
    read(of(lines, profile), lines.between(), reader, sink);
  }

  /// Hands a line to a reader of transcripts.
  ///
  /// @param between whether it is a piece of a document that is no item
  static void read(TranscriptLine line, boolean between, TranscriptReader reader, RecordSink sink) {
    if (between) {
      reader.between(line, sink);
    } else {
      reader.line(line, sink);
    }
  }
}
