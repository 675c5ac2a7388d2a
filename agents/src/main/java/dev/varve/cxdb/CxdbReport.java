// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.imports.ProblemSummary;
import java.util.List;

/// The result of an import from a cxdb directory.
///
/// @param blobs the number of whole blob records in the pack; a blob may have two records
/// @param turns the number of imported turns
/// @param turnsSkipped the number of whole records of turns whose blob or parent is missing
/// @param contexts the number of imported contexts: every context with a whole record
/// @param contextsSetBack the number of contexts whose newest head is missing, and which now end at
///   an earlier head
/// @param fsRoots the number of file trees that were attached to turns
/// @param registryFiles the names of the files of the type registry, which a caller that knows
///   types imports
/// @param problems the damage in the directory; the place of a problem is the name of a file there
public record CxdbReport(
    long blobs,
    long turns,
    long turnsSkipped,
    long contexts,
    long contextsSetBack,
    long fsRoots,
    List<String> registryFiles,
    ProblemSummary problems) {

  public CxdbReport {
    registryFiles = List.copyOf(registryFiles);
  }
}
