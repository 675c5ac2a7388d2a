// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.ProblemSummary;
import dev.varve.imports.RecordCounts;
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
    ProblemSummary problems) {}
