// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

/// Records that one reading of a file passes over because they are damaged, or of another store:
/// the first of them are logged, the others are counted.
final class PassedOver {

  private static final System.Logger LOGGER = System.getLogger("dev.varve.turn");
  private static final int LOGGED_MAX = 10;

  private long count;

  /// @param what file, place, and what is wrong
  void add(String what) {
    count++;
    if (count <= LOGGED_MAX) {
      LOGGER.log(System.Logger.Level.WARNING, what);
    }
  }

  /// Logs how many there were beside those logged. Called at the end.
  void end(String file) {
    if (count > LOGGED_MAX) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "{0}: {1} more records like these are passed over",
          file,
          count - LOGGED_MAX);
    }
  }

  boolean isEmpty() {
    return count == 0;
  }
}
