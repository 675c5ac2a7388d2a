// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

/// A place in a source that is not as it should be.
///
/// @param place the name of the file in the source; empty if the source is one file
/// @param position the number of the line, starting at 1, or the offset of the byte, as the format
///   counts; -1 if the problem concerns the whole file
/// @param what the problem, in one line
public record ImportProblem(String place, long position, String what) {

  /// The position of a problem that concerns the whole file.
  public static final long WHOLE = -1;
}
