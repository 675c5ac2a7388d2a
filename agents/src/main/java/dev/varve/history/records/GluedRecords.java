// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.records;

import dev.varve.Payload;
import dev.varve.history.RecordValue;
import dev.varve.history.TranscriptLine;
import dev.varve.history.bytes.ElidedLine;
import dev.varve.imports.StrictJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Splits a line to which the agent glued a record, because the record before it had no line feed:
/// it was whole, or torn.
public final class GluedRecords {

  /// The most places in a line at which a record is looked for.
  private static final int STARTS_MAX = 64;

  private GluedRecords() {}

  /// A part of a line.
  ///
  /// @param record whether the part is a JSON object, and no garbage
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  private record Part(byte[] bytes, boolean record) {}

  /// Hands the records of a line to a reader. A line that is one record is parsed once.
  ///
  /// @param start the bytes with which every record begins
  /// @param elided the members that a fork changes
  /// @param other takes a line that is no record
  public static void read(
      TranscriptLine line,
      byte[] start,
      Set<String> elided,
      BiConsumer<RecordValue, TranscriptLine> reader,
      Consumer<TranscriptLine> other) {
    Optional<RecordValue> whole = RecordValue.object(line.raw());
    if (whole.isPresent()) {
      reader.accept(whole.get(), line);
      return;
    }
    for (TranscriptLine part : split(line, start, elided)) {
      RecordValue.object(part.raw())
          .ifPresentOrElse(record -> reader.accept(record, part), () -> other.accept(part));
    }
  }

  /// The parts of a line as lines of their own; the line itself if nothing is glued to it.
  private static List<TranscriptLine> split(TranscriptLine line, byte[] start, Set<String> elided) {
    if (find(line.raw(), start, 1) < 0) {
      return List.of(line);
    }
    List<Part> parts = split(line.raw(), start);
    if (parts.size() == 1 || parts.stream().noneMatch(Part::record)) {
      return List.of(line);
    }
    return parts.stream()
        .map(
            part ->
                new TranscriptLine(
                    part.bytes(),
                    Payload.wrap(ElidedLine.of(part.bytes(), elided).kept()),
                    line.number(),
                    true))
        .toList();
  }

  /// The parts of a line, in order; together they are the line.
  private static List<Part> split(byte[] line, byte[] start) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    int garbage = 0; // what stands between this place and `from` is no record
    for (int starts = 0; from < line.length && starts < STARTS_MAX; starts++) {
      int to = objectTo(line, from);
      if (to > from) {
        addGarbage(line, garbage, from, parts);
        parts.add(new Part(Arrays.copyOfRange(line, from, to), true));
        from = to;
        garbage = to;
      } else {
        int next = find(line, start, from + 1);
        from = next < 0 ? line.length : next;
      }
    }
    addGarbage(line, garbage, line.length, parts);
    return parts;
  }

  private static void addGarbage(byte[] line, int from, int to, List<Part> parts) {
    if (to > from) {
      parts.add(new Part(Arrays.copyOfRange(line, from, to), false));
    }
  }

  /// The end of the object that begins at `from`; -1 if none does.
  private static int objectTo(byte[] line, int from) {
    if (line[from] != '{') {
      return -1;
    }
    try (JsonParser json = StrictJson.parser(line, from, line.length)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return -1;
      }
      json.skipChildren();
      return json.currentToken() == JsonToken.END_OBJECT
          ? from + (int) json.currentLocation().getByteOffset()
          : -1;
    } catch (JacksonException e) {
      return -1;
    }
  }

  /// The next place at which a record may begin; -1 if there is none.
  private static int find(byte[] line, byte[] start, int from) {
    for (int at = from; at <= line.length - start.length; at++) {
      if (Arrays.equals(line, at, at + start.length, start, 0, start.length)) {
        return at;
      }
    }
    return -1;
  }
}
