// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The change to each entry of a file, by the entry's ordinal. A piece that the plan does not name
/// stays as it is, if it is an entry, and is left out otherwise.
public final class RepairPlan {

  /// The place of the header; -1 if a header must be made.
  private long headerOffset = -1;

  private int headerSizeBytes;
  private @Nullable String madeHeader;

  private final BitSet repeated = new BitSet();
  private final Map<Integer, @Nullable String> parents = new HashMap<>();
  private final Map<Integer, String> ids = new HashMap<>();

  RepairPlan() {}

  void header(long offset, int sizeBytes) {
    headerOffset = offset;
    headerSizeBytes = sizeBytes;
  }

  void makeHeader(String line) {
    madeHeader = line;
  }

  void leaveOut(int entry) {
    repeated.set(entry);
  }

  /// @param parentId null for a root
  void parent(int entry, @Nullable String parentId) {
    parents.put(entry, parentId);
  }

  void id(int entry, String id) {
    ids.put(entry, id);
  }

  long headerOffset() {
    return headerOffset;
  }

  int headerSizeBytes() {
    return headerSizeBytes;
  }

  @Nullable String madeHeader() {
    return madeHeader;
  }

  boolean leavesOut(int entry) {
    return repeated.get(entry);
  }

  /// The last entry in front of `entry` in the file that is not left out, or -1.
  int before(int entry) {
    return entry == 0 ? -1 : repeated.previousClearBit(entry - 1);
  }

  boolean changesParent(int entry) {
    return parents.containsKey(entry);
  }

  @Nullable String parent(int entry) {
    return parents.get(entry);
  }

  @Nullable String id(int entry) {
    return ids.get(entry);
  }
}
