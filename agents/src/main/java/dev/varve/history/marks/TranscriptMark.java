// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import dev.varve.imports.AboutFields;
import dev.varve.imports.AboutWriter;
import dev.varve.imports.SpotHashes;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// The state of an import behind the last line of a transcript, which ends with a line feed.
///
/// A mark has a bounded size, some kilobytes. So it knows the turns of the last records only.
///
/// @param behind the place in the file
/// @param recent the last records that became turns, in their order
/// @param reader the state of the profile's reader
public record TranscriptMark(LinesMark behind, List<PlacedRecord> recent, ReaderState reader) {

  /// The number of records whose turns a mark knows.
  public static final int RECENT_MAX = 64;

  private static final String KIND = "varve.history.mark";

  public TranscriptMark {
    recent = List.copyOf(recent);
  }

  /// Puts the mark into a store.
  public BlobHash put(Store store) {
    List<String> placed = new ArrayList<>(2 * recent.size());
    for (PlacedRecord record : recent) {
      placed.add(record.id());
      placed.add(record.turn().toString());
    }
    SpotHashes spots = behind.spots();
    return store.put(
        new AboutWriter(KIND)
            .number("lines", behind.lines())
            .text("hasher", Base64.getEncoder().encodeToString(behind.hasher().unsafeArray()))
            .ids("spots", List.of(spots.start(), spots.end(), spots.samples()))
            .number("start_bytes", spots.startBytes())
            .ids("recent", placed)
            .ids("reader", reader.flat())
            .payload());
  }

  /// Reads a mark; empty if the store has none, or one of another version of Varve.
  public static Optional<TranscriptMark> find(Store store, BlobHash hash) {
    try {
      return AboutFields.read(store.get(hash))
          .filter(fields -> fields.text("kind").equals(KIND))
          .map(TranscriptMark::of);
    } catch (StoreException.NotFound
        | StoreException.Erased
        | StoreException.Invalid
        | IllegalArgumentException
        | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static TranscriptMark of(AboutFields fields) {
    List<String> spots = fields.list("spots");
    int startBytes = Integer.parseInt(fields.text("start_bytes"));
    if (startBytes < 0 || startBytes > SpotHashes.START_BYTES_MAX) {
      throw new IllegalArgumentException("a first line of " + startBytes + " bytes");
    }
    List<String> placed = fields.list("recent");
    List<PlacedRecord> recent = new ArrayList<>();
    for (int i = 0; i < placed.size(); i += 2) {
      recent.add(new PlacedRecord(placed.get(i), TurnId.parse(placed.get(i + 1))));
    }
    return new TranscriptMark(
        new LinesMark(
            Long.parseLong(fields.text("lines")),
            Payload.wrap(Base64.getDecoder().decode(fields.text("hasher"))),
            new SpotHashes(
                BlobHash.parse(spots.get(0)),
                BlobHash.parse(spots.get(1)),
                BlobHash.parse(spots.get(2)),
                startBytes)),
        recent,
        ReaderState.of(fields.list("reader")));
  }

  /// The hasher behind the last byte before the mark; empty if these bytes are not the bytes of
  /// `content`.
  public Optional<Blake3> hasher(BlobHash content) {
    try {
      return Optional.of(Blake3.restoreState(behind.hasher().unsafeArray()))
          .filter(restored -> restored.digest().equals(content));
    } catch (StoreException.Invalid | StoreException.FormatTooNew e) {
      return Optional.empty();
    }
  }
}
