// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.imports.AboutFields;
import dev.varve.imports.AboutWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/// The marks of a session's files. They lie in two blobs: files without a mark of their own seldom
/// change, and so their blob is mostly the same.
///
/// @param wholeAtUnixMs when all files were last read as a whole
/// @param ends the contexts that stand at the session's leaves
/// @param files the marks of all files
public record SessionMarks(long wholeAtUnixMs, List<ContextId> ends, List<FileMark> files) {

  /// The time after a reading of all bytes within which some of the bytes stand for all.
  public static final Duration TRUSTED_FOR = Duration.ofHours(1);

  private static final String KIND = "varve.history.marks";

  public SessionMarks {
    ends = List.copyOf(ends);
    files = List.copyOf(files);
  }

  /// Decides whether some bytes may still stand for all.
  ///
  /// @param wholeAtUnixMs when all were read
  public static boolean isTrusted(long wholeAtUnixMs, Instant now) {
    long age = now.toEpochMilli() - wholeAtUnixMs;
    return age >= 0 && age < TRUSTED_FOR.toMillis();
  }

  /// Says whether bytes of a file were joined of parts that were read at different times.
  public boolean isJoined() {
    return files.stream().anyMatch(FileMark::joined);
  }

  /// The marks by the slots of the files.
  public Map<String, FileMark> bySlot() {
    Map<String, FileMark> marks = new HashMap<>();
    files.forEach(file -> marks.put(file.slot(), file));
    return marks;
  }

  /// Puts the marks into a store.
  public BlobHash put(Store store) {
    List<String> transcripts = new ArrayList<>();
    List<String> others = new ArrayList<>();
    files.forEach(file -> (file.transcript() == null ? others : transcripts).addAll(file.texts()));
    AboutWriter marks =
        new AboutWriter(KIND)
            .number("whole_at_unix_ms", wholeAtUnixMs)
            .ids("ends", ends)
            .ids("files", transcripts);
    if (!others.isEmpty()) {
      marks.id("others", store.put(new AboutWriter(KIND).ids("files", others).payload()));
    }
    return store.put(marks.payload());
  }

  /// Reads marks; empty if the store has none, or some of another version of Varve.
  public static Optional<SessionMarks> find(Store store, BlobHash hash) {
    try {
      Optional<AboutFields> fields = fields(store, hash);
      if (fields.isEmpty()) {
        return Optional.empty();
      }
      List<FileMark> files = new ArrayList<>(files(fields.get()));
      Optional<String> others = fields.get().find("others");
      if (others.isPresent()) {
        files.addAll(files(fields(store, BlobHash.parse(others.get())).orElseThrow()));
      }
      List<ContextId> ends = fields.get().list("ends").stream().map(ContextId::parse).toList();
      long wholeAt = Long.parseLong(fields.get().text("whole_at_unix_ms"));
      return Optional.of(new SessionMarks(wholeAt, ends, files));
    } catch (StoreException.NotFound
        | StoreException.Erased
        | StoreException.Invalid
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | NoSuchElementException e) {
      return Optional.empty();
    }
  }

  private static Optional<AboutFields> fields(Store store, BlobHash hash) {
    return AboutFields.read(store.get(hash)).filter(found -> found.text("kind").equals(KIND));
  }

  private static List<FileMark> files(AboutFields fields) {
    List<String> texts = fields.list("files");
    List<FileMark> files = new ArrayList<>(texts.size() / FileMark.TEXTS);
    for (int i = 0; i < texts.size(); i += FileMark.TEXTS) {
      files.add(FileMark.of(texts.subList(i, i + FileMark.TEXTS)));
    }
    return files;
  }
}
