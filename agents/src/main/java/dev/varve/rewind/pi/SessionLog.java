// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.imports.StrictJson;
import dev.varve.pi.session.EntryKind;
import dev.varve.pi.session.SessionReader;
import dev.varve.pi.session.SessionRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/// The entries of a session in their order, some hundred bytes each. For one thread.
///
/// If two entries have the same id, the later entry is found, as in Pi. Damaged lines are skipped,
/// as in Pi, and counted. Entries of version 1 have no ids and are left out.
public final class SessionLog {

  private static final int ILLEGIBLE_MAX = 100_000;

  private final List<SessionEntry> entries = new ArrayList<>();
  private final Map<String, Integer> byId = new HashMap<>();
  private final Map<String, String> labels = new HashMap<>();
  private final Set<String> illegible = new HashSet<>();
  private SessionRecord.@Nullable Header header;
  private long damagedPieces;

  /// Reads a file.
  ///
  /// @throws dev.varve.StoreException.Io if it cannot be read
  public static SessionLog read(Path file) {
    SessionLog log = new SessionLog();
    try (SessionReader pieces = SessionReader.open(file)) {
      while (pieces.next()) {
        log.take(pieces);
      }
    }
    return log;
  }

  private void take(SessionReader piece) {
    switch (piece.record()) {
      case SessionRecord.Header found -> header = header == null ? found : header;
      case SessionRecord.Entry entry -> {
        if (entry.id() != null) {
          SessionEntry read = parsed(entry, piece);
          add(read);
          if (read.kind() == EntryKind.CUSTOM
              && read.mark() == null
              && MarkSearch.has(piece.bytes(), piece.from(), piece.to())) {
            collect(piece); // a mark of another version
          }
        }
      }
      case SessionRecord.Damaged _ -> {
        damagedPieces++;
        collect(piece);
      }
      case SessionRecord.Foreign _ -> damagedPieces++;
      case SessionRecord.Blank _ -> {}
    }
  }

  /// Collects the words that may name a snapshot in a line that is not understood.
  private void collect(SessionReader piece) {
    byte[] bytes = piece.bytes();
    int start = piece.from();
    for (int i = piece.from(); i <= piece.to(); i++) {
      if (i == piece.to() || !HexFormat.isHexDigit(bytes[i])) {
        if ((i - start == 40 || i - start == 64) && illegible.size() < ILLEGIBLE_MAX) {
          illegible.add(new String(bytes, start, i - start, ISO_8859_1));
        }
        start = i + 1;
      }
    }
  }

  /// Ids in damaged lines, and in marks that are not understood. They may be snapshots that the
  /// session needs.
  public Set<String> illegible() {
    return Collections.unmodifiableSet(illegible);
  }

  /// A line that is too long, or odd inside, is still the entry that its beginning says it is.
  private static SessionEntry parsed(SessionRecord.Entry entry, SessionReader piece) {
    try (JsonParser json = StrictJson.parser(piece.bytes(), piece.from(), piece.to())) {
      json.nextToken();
      SessionEntry read = SessionEntry.read(json);
      if (read != null) {
        return read;
      }
    } catch (JacksonException e) {
      // what the beginning says counts
    }
    String id = java.util.Objects.requireNonNull(entry.id());
    return new SessionEntry(
        id, entry.parentId(), EntryKind.of(entry.type(), null), "", null, null, null);
  }

  /// Adds what comes next. Entries that are known are passed over.
  ///
  /// @return whether it was new
  boolean add(SessionEntry entry) {
    Integer known = byId.get(entry.id());
    if (known != null && entries.get(known).equals(entry)) {
      return false;
    }
    byId.put(entry.id(), entries.size());
    entries.add(entry);
    String labelled = entry.labelled();
    if (labelled != null) {
      if (entry.label() == null || entry.label().isBlank()) {
        labels.remove(labelled);
      } else {
        labels.put(labelled, entry.label());
      }
    }
    return true;
  }

  public List<SessionEntry> entries() {
    return Collections.unmodifiableList(entries);
  }

  public @Nullable SessionEntry find(@Nullable String id) {
    Integer at = id == null ? null : byId.get(id);
    return at == null ? null : entries.get(at);
  }

  /// From an entry up to its root. Ends at a parent that is missing, and where parents go in a
  /// circle.
  public Iterable<SessionEntry> up(@Nullable String from) {
    return () ->
        new java.util.Iterator<>() {
          private @Nullable SessionEntry next = find(from);
          private int left = entries.size();

          @Override
          public boolean hasNext() {
            return next != null && left > 0;
          }

          @Override
          public SessionEntry next() {
            SessionEntry here = next;
            if (here == null) {
              throw new java.util.NoSuchElementException();
            }
            left--;
            next = find(here.parent());
            return here;
          }
        };
  }

  /// The entry after which Pi continues when it opens the file; null if there is no entry.
  public @Nullable String leaf() {
    return entries.isEmpty() ? null : entries.getLast().id();
  }

  /// The entries that have a label now.
  public Set<String> labelled() {
    return Collections.unmodifiableSet(labels.keySet());
  }

  public SessionRecord.@Nullable Header header() {
    return header;
  }

  /// The number of pieces of the file that were neither header nor entry.
  public long damagedPieces() {
    return damagedPieces;
  }
}
