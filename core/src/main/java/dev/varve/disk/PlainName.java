// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.nio.file.Path;

/// The names that a [Disk] takes: those that mean the same file, inside its folder, on every
/// system, and those of drafts.
final class PlainName {

  private static final int MAX_LENGTH = 200;

  private PlainName() {}

  /// Returns `name` if it is plain, or a draft's.
  ///
  /// @throws IllegalArgumentException if it is empty, longer than 200, begins with a dot, has two
  ///   dots in a row, or has a character other than ASCII letters, digits, `.`, `-`, `_`
  static String check(String name) {
    boolean plain =
        !name.isEmpty()
            && name.length() <= MAX_LENGTH
            && name.charAt(0) != '.'
            && !name.contains("..")
            && name.chars().allMatch(PlainName::isPlain);
    if (!plain && !DraftName.matches(name)) {
      throw new IllegalArgumentException("not a plain file name: '" + name + "'");
    }
    return name;
  }

  /// Returns `name` if it is one name in a folder, whatever its characters.
  ///
  /// @throws IllegalArgumentException if it could lead elsewhere
  static String checkSingle(String name) {
    Path path = Path.of(name);
    if (path.getNameCount() != 1
        || path.isAbsolute()
        || name.isEmpty()
        || name.equals(".")
        || name.equals("..")) {
      throw new IllegalArgumentException("not the name of a file in a folder: '" + name + "'");
    }
    return name;
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '_';
  }
}
