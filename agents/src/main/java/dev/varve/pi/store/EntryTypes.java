// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.DeclaredType;
import java.util.HashMap;
import java.util.Map;

/// The declared types of a session's turns: `pi.` and the entry's type, with the session's version.
///
/// Types come from the file, and a store keeps each for ever: odd ones, and those beyond a number
/// no session reaches, are all `pi.entry`.
final class EntryTypes {

  private static final int TYPES_MAX = 64;
  private static final int NAME_MAX = 64;

  private final Map<String, DeclaredType> types = new HashMap<>();
  private final DeclaredType other;
  private final int version;

  EntryTypes(int version) {
    this.version = version;
    this.other = new DeclaredType("pi.entry", version);
  }

  DeclaredType of(String type) {
    DeclaredType known = types.get(type);
    if (known != null) {
      return known;
    }
    if (types.size() >= TYPES_MAX || !plain(type)) {
      return other;
    }
    DeclaredType added = new DeclaredType("pi." + type, version);
    types.put(type, added);
    return added;
  }

  private static boolean plain(String type) {
    return !type.isEmpty()
        && type.length() <= NAME_MAX
        && type.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || c == '_'
                        || c == '-'
                        || c == '.');
  }
}
