// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import dev.varve.BlobHash;
import dev.varve.imports.RecordCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file of a session when the session was archived.
///
/// @param slot the file's part in the session
/// @param stamp the file's stamp as text
/// @param inode the file's number; 0 where the file system has none
/// @param settled whether a later change of the file would surely have another stamp
/// @param joined whether the archived bytes were joined of parts that were read at different times
/// @param transcript the blob with the [TranscriptMark]; null if the file has none
/// @param usage the number of usage objects
/// @param counts the records; all turns count as shared
public record FileMark(
    String slot,
    String stamp,
    long inode,
    boolean settled,
    boolean joined,
    @Nullable BlobHash transcript,
    int usage,
    RecordCounts counts) {

  /// The texts of one mark in a list.
  static final int TEXTS = 11;

  /// The mark of a file without records.
  public static FileMark of(String slot, String stamp, long inode, boolean settled) {
    return new FileMark(slot, stamp, inode, settled, false, null, 0, RecordCounts.NONE);
  }

  /// The same file when it was looked at later.
  public FileMark seen(String laterStamp, boolean isSettled, boolean isJoined) {
    return new FileMark(slot, laterStamp, inode, isSettled, isJoined, transcript, usage, counts);
  }

  FileMark withView(@Nullable BlobHash mark, ViewMark view) {
    return new FileMark(
        slot, stamp, inode, settled, joined, mark, view.usage(), view.counts().asShared());
  }

  List<String> texts() {
    return List.of(
        slot,
        stamp,
        Long.toString(inode),
        settled ? "settled" : "",
        joined ? "joined" : "",
        transcript == null ? "" : transcript.toString(),
        Integer.toString(usage),
        Long.toString(counts.turns()),
        Long.toString(counts.bookkeeping()),
        Long.toString(counts.duplicates()),
        Long.toString(counts.unreadable()));
  }

  /// Reads what [#texts()] wrote.
  ///
  /// @throws IllegalArgumentException if it is something else
  static FileMark of(List<String> texts) {
    long turns = Long.parseLong(texts.get(7));
    long bookkeeping = Long.parseLong(texts.get(8));
    long duplicates = Long.parseLong(texts.get(9));
    long unreadable = Long.parseLong(texts.get(10));
    return new FileMark(
        texts.get(0),
        texts.get(1),
        Long.parseLong(texts.get(2)),
        !texts.get(3).isEmpty(),
        !texts.get(4).isEmpty(),
        texts.get(5).isEmpty() ? null : BlobHash.parse(texts.get(5)),
        Integer.parseInt(texts.get(6)),
        new RecordCounts(
            turns + bookkeeping + duplicates + unreadable,
            0,
            turns,
            bookkeeping,
            duplicates,
            unreadable));
  }
}
