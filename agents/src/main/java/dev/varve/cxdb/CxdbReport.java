// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import java.util.List;

/// What was brought over from a cxdb directory, and what was not.
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
/// @param problemCount how many problems there were
/// @param problems the first [#PROBLEMS_MAX] of them
public record CxdbReport(
    long blobs,
    long turns,
    long turnsSkipped,
    long contexts,
    long contextsSetBack,
    long fsRoots,
    List<String> registryFiles,
    long problemCount,
    List<Problem> problems) {

  /// How many problems are told one by one.
  public static final int PROBLEMS_MAX = 100;

  public CxdbReport {
    registryFiles = List.copyOf(registryFiles);
    problems = List.copyOf(problems);
  }

  /// One thing that is not as it should be.
  ///
  /// @param file name of the file in the directory
  /// @param offset byte in it; -1 if it is about the whole file
  /// @param what in one line
  public record Problem(String file, long offset, String what) {}
}
