// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import java.util.ArrayList;
import java.util.List;

/// Counts problems and keeps the first ones.
final class Problems {

  private final List<CxdbReport.Problem> first = new ArrayList<>();
  private long count;

  void add(String file, long offset, String what) {
    if (first.size() < CxdbReport.PROBLEMS_MAX) {
      first.add(new CxdbReport.Problem(file, offset, what));
    }
    count++;
  }

  /// The bytes from `from` to `to` are no record.
  void damage(String file, long from, long to) {
    add(file, from, (to - from) + " bytes are no whole record");
  }

  long count() {
    return count;
  }

  List<CxdbReport.Problem> first() {
    return first;
  }
}
