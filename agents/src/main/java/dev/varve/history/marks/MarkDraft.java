// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Collects the marks of a session during an import: first the files as they were read, then the
/// view that was made of them.
public final class MarkDraft {

  private final long wholeAtUnixMs;
  private final Map<String, FileMark> files = new LinkedHashMap<>();
  private final Map<String, LinesMark> lines = new HashMap<>();

  /// @param wholeAtUnixMs when all files were last read as a whole
  public MarkDraft(long wholeAtUnixMs) {
    this.wholeAtUnixMs = wholeAtUnixMs;
  }

  /// Adds a file.
  ///
  /// @param behind the place behind its lines; null if nothing can go on from there
  public void add(FileMark file, @Nullable LinesMark behind) {
    files.put(file.slot(), file);
    if (behind != null) {
      lines.put(file.slot(), behind);
    }
  }

  /// The marks, with what the view says of the transcripts of which it was made.
  public SessionMarks marks(Store store, List<ContextId> ends, Map<String, ViewMark> views) {
    views.keySet().forEach(slot -> files.computeIfAbsent(slot, MarkDraft::absent));
    List<FileMark> marks = new ArrayList<>();
    for (FileMark file : files.values()) {
      ViewMark view = views.get(file.slot());
      marks.add(view == null ? file : complete(store, file, view));
    }
    return new SessionMarks(wholeAtUnixMs, ends, marks);
  }

  /// A file that its agent deleted stays in the view.
  private static FileMark absent(String slot) {
    return FileMark.of(slot, "", 0, false);
  }

  private FileMark complete(Store store, FileMark file, ViewMark view) {
    LinesMark behind = lines.get(file.slot());
    BlobHash transcript = null;
    if (behind != null && view.reader().isPresent() && view.counts().unreadable() == 0) {
      transcript = new TranscriptMark(behind, view.recent(), view.reader().get()).put(store);
    }
    return file.withView(transcript, view);
  }
}
