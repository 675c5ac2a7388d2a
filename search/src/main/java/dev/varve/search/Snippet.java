// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.util.List;

/// A part of a text, in one line: runs of white space are one space.
///
/// @param marks the places of the words that were asked for, in order
/// @param cutBefore whether text stands before
/// @param cutAfter whether text stands behind
public record Snippet(String text, List<Mark> marks, boolean cutBefore, boolean cutAfter) {

  /// A stretch of the snippet's text.
  public record Mark(int from, int to) {}

  public Snippet {
    marks = List.copyOf(marks);
  }
}
