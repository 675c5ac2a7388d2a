// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.history.marks.ReaderState;
import java.util.List;
import java.util.Optional;

/// Reads the records of one transcript, line by line, or item by item where the transcript is a
/// document.
///
/// A transcript may begin with the history of another one, of which it holds a pointer and no copy.
/// The lines of the other one are then read first.
public interface TranscriptReader {

  /// Reads one line and hands its records to `sink`: nothing but spaces is bookkeeping, and a line
  /// without a JSON object is unreadable.
  default void line(TranscriptLine line, RecordSink sink) {
    if (line.isBlank()) {
      sink.bookkeeping();
      return;
    }
    Optional<RecordValue> record = RecordValue.object(line.raw());
    if (record.isPresent()) {
      record(record.get(), line, sink);
    } else {
      sink.unreadable(line.ended() ? "no JSON object" : "the last line is torn");
    }
  }

  /// Reads a piece of a document that stands before, between or behind the records. The first piece
  /// is bookkeeping, and the others only separate records.
  default void between(TranscriptLine piece, RecordSink sink) {
    if (piece.number() == 1) {
      sink.bookkeeping();
    }
  }

  /// Takes a file that describes the session, before the first line is read.
  ///
  /// @param key of the session
  /// @param slot of the file
  /// @param content nobody changes the bytes
  default void describe(String key, String slot, byte[] content) {}

  /// Reads the record of a line and hands what the record is to `sink`.
  void record(RecordValue record, TranscriptLine line, RecordSink sink);

  /// Marks the lines that follow as the transcript's own; those before were another one's.
  default void begin() {}

  /// Hands over what is held back until the transcript's end.
  default void end(RecordSink sink) {}

  /// The point of another transcript behind which this one goes on, as its first line says.
  ///
  /// @param firstLine the first line of the transcript
  default Optional<BasePoint> base(TranscriptLine firstLine) {
    return Optional.empty();
  }

  /// The state from which another reader goes on behind the lines read so far, but for the usage;
  /// empty if none can, or if the state would be large.
  default Optional<ReaderState> state() {
    return Optional.empty();
  }

  /// Goes on behind the lines that another reader read. To be called before the first line.
  ///
  /// @param state what [#state()] gave
  /// @param usage the usage objects of these lines
  default void resume(ReaderState state, List<UsageEvidence> usage) {
    throw new UnsupportedOperationException("a reader without a state");
  }

  /// Says whether the lines behind a state could be read without knowing more of the lines before.
  default boolean isSure() {
    return true;
  }

  /// The facts of the lines read so far.
  SessionFacts facts();
}
