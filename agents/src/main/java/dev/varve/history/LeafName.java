// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

/// The name of a leaf: the slot of its transcript and the id of its record.
///
/// @param id may be empty
record LeafName(String slot, String id) {

  private static final char BETWEEN = '\n';
  private static final int ID_MAX = 256;

  static String of(String slot, String id) {
    return slot + BETWEEN + id.substring(0, Math.min(id.length(), ID_MAX));
  }

  static LeafName parse(String name) {
    int end = name.indexOf(BETWEEN);
    return end < 0
        ? new LeafName(HistoryFile.MAIN, name)
        : new LeafName(name.substring(0, end), name.substring(end + 1));
  }
}
