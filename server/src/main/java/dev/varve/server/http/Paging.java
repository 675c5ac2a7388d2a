// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Turn;
import java.util.List;

/// Keeps one answer from holding more payload than the port allows.
final class Paging {

  private Paging() {}

  /// Refuses a page whose payloads measure more than `max` bytes. A page is never cut in silence:
  /// clients take a short page for the last.
  static void check(List<Turn> turns, long max) {
    long sum = 0;
    for (Turn turn : turns) {
      sum += turn.payloadSizeBytes();
    }
    if (sum > max) {
      throw HttpRefusal.tooLarge("payload bytes of this page, ask for fewer turns", sum, max);
    }
  }
}
