// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.imports.ProblemSummary;
import java.util.List;

/// The result of an import from a cxdb directory.
///
/// @param blobs whole blob records in the pack; the same blob may be there twice
/// @param turns brought over
/// @param turnsSkipped whole records of turns whose blob or parent is missing
/// @param contexts brought over; all of which there is a whole record
/// @param contextsSetBack those whose newest head is missing, so that they now end at an earlier
///   one
/// @param fsRoots file trees attached to turns
/// @param registryFiles names of the files of the type registry; whoever knows types brings them
///   over
/// @param problems everything in the directory that is not as it should be; the place of a problem
///   is the name of a file in it
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
