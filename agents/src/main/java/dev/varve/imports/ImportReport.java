// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The result of importing one source.
///
/// @param source the file or folder
/// @param session the source's own id; empty if it has none
/// @param title what people call the conversation; may be empty
/// @param sizeBytes how many bytes were read
/// @param manifest null if the import failed
/// @param contexts none if the import failed
public record ImportReport(
    Path source,
    Outcome outcome,
    String session,
    String title,
    long sizeBytes,
    @Nullable ManifestPlace manifest,
    RecordCounts records,
    ContextChanges contexts,
    ProblemSummary problems) {

  /// The report on a source that could not be imported.
  ///
  /// @param why the reason, in one line
  public static ImportReport failed(Path source, String why) {
    return new ImportReport(
        source,
        Outcome.FAILED,
        "",
        "",
        0,
        null,
        RecordCounts.NONE,
        ContextChanges.NONE,
        ProblemSummary.of(why));
  }

  /// The outcome of an import.
  public enum Outcome {
    /// The source was not known before.
    NEW,
    /// The source begins with all that was known, and goes on.
    GROWN,
    /// The source was known, but was written anew. Both versions are kept.
    REWRITTEN,
    /// The source is as it was at the last import. Nothing was written.
    UNCHANGED,
    /// The source is an earlier version of what is known. It can be exported, but the newer version
    /// stays the source's.
    OLDER,
    /// The source could not be read or is of another format. What was known stays as it was.
    FAILED
  }
}
