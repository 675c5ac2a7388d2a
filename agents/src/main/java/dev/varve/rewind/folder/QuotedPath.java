// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.git.RepoPath;

/// Paths as git prints them: a path with other bytes than plain ASCII stands in quotes, with octal
/// numbers for these bytes (git-config(1), `core.quotePath`).
final class QuotedPath {

  private QuotedPath() {}

  /// A path as git prints it, in a form that needs no encoding.
  ///
  /// @param prefix `a/` or `b/` for the sides of a difference; may be empty
  static String text(String prefix, RepoPath path) {
    StringBuilder text = new StringBuilder(prefix);
    boolean plain = true;
    for (byte b : path.bytes()) {
      char c = (char) (b & 0xff);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
        plain = false;
      } else if (c >= 7 && c <= 13) {
        text.append('\\').append("abtnvfr".charAt(c - 7));
        plain = false;
      } else if (c < ' ' || c > '~') {
        text.append(String.format("\\%03o", (int) c));
        plain = false;
      } else {
        text.append(c);
      }
    }
    return plain ? text.toString() : "\"" + text + "\"";
  }
}
