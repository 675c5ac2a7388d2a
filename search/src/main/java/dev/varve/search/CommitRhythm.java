// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.time.Duration;

/// The rhythm in which an index is written to the disk. Until then, new turns are in memory; after
/// a crash they are indexed again, which costs less than writing each of them.
///
/// @param least the least time between two writings
/// @param most the longest time that something new stays in memory alone
/// @param turns the number of new turns that are written without waiting for `most`
record CommitRhythm(Duration least, Duration most, long turns) {

  /// A command that searches beside a service indexes at most so many turns itself.
  static final CommitRhythm DEFAULT =
      new CommitRhythm(Duration.ofSeconds(2), Duration.ofMinutes(1), 250);

  /// Decides whether to write now.
  ///
  /// @param sinceLast the time since the last writing
  /// @param sinceNews the time since the first change that is not written yet
  /// @param turnsNew the number of turns that are not written yet
  boolean isDue(Duration sinceLast, Duration sinceNews, long turnsNew) {
    return sinceLast.compareTo(least) >= 0 && (turnsNew >= turns || sinceNews.compareTo(most) >= 0);
  }
}
