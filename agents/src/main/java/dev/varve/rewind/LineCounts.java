// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

/// The numbers of lines that a change of files adds and removes. A file that is no text has no
/// lines.
public record LineCounts(long added, long removed) {

  public static final LineCounts NONE = new LineCounts(0, 0);

  /// The sum of two changes.
  public LineCounts plus(LineCounts other) {
    return new LineCounts(added + other.added, removed + other.removed);
  }
}
