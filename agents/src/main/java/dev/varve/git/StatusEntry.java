// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.StoreException;

/// One line of `git status --porcelain=v2 -z`.
///
/// @param staged whether the index differs from the last commit here
/// @param worktree how the file differs from the index: `M`, `D`, `T`, `?` if the index does not
///   have it, `.` if it does not differ
public record StatusEntry(RepoPath path, boolean staged, char worktree) {

  /// Reads `1 XY sub mH mI mW hH hI path` or `? path`.
  static StatusEntry parse(byte[] line) {
    String text = new String(line, ISO_8859_1);
    if (text.startsWith("? ")) {
      return new StatusEntry(RepoPath.of(text.substring(2).getBytes(ISO_8859_1)), false, '?');
    }
    String[] fields = text.split(" ", 9);
    if (!text.startsWith("1 ") || fields.length != 9 || fields[1].length() != 2) {
      throw new StoreException.Invalid("what git status printed", text);
    }
    return new StatusEntry(
        RepoPath.of(fields[8].getBytes(ISO_8859_1)),
        fields[1].charAt(0) != '.',
        fields[1].charAt(1));
  }
}
