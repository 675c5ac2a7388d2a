// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import java.util.Set;

/// The names directly below `blobs/` that belong to the store's own housekeeping.
final class HousekeepingNames {

  static final String LOCK = ".lock";
  static final String TRASH = ".trash";
  static final String IGNORE = ".gitignore";

  private static final Set<String> ALL = Set.of(LOCK, TRASH, IGNORE, ".gitattributes", OptIn.NAME);

  private HousekeepingNames() {}

  static boolean has(String name) {
    return ALL.contains(name) || DraftNames.isDraft(name);
  }
}
