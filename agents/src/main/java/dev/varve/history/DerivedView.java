// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.history.marks.ViewMark;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.ProblemSummary;
import dev.varve.imports.RecordCounts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The view that a profile made of a session's bytes.
///
/// @param main the view of the session's own transcript
/// @param base the key of the session behind which this one goes on; empty for none
/// @param whole whether everything was at hand: the view is made again when it was not
/// @param usage the blob with the usage of each response, or null
record DerivedView(
    RecordCounts counts,
    ContextChanges contexts,
    SessionAbout.View main,
    String base,
    boolean whole,
    @Nullable BlobHash usage,
    ProblemSummary problems,
    Ends ends) {

  /// The ends of a view, from which another view goes on.
  ///
  /// @param contexts the contexts that stand at the leaves
  /// @param transcripts of which the view was made, by their slots
  record Ends(List<ContextId> contexts, Map<String, ViewMark> transcripts) {}
}
