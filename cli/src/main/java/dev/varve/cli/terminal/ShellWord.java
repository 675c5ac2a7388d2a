// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

/// Text as one word of a POSIX shell's command line, so that a suggested command works when pasted.
public final class ShellWord {

  private ShellWord() {}

  public static String quote(String word) {
    if (!word.isEmpty() && word.chars().allMatch(ShellWord::isPlain)) {
      return word;
    }
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "/._-+:@%,=".indexOf(c) >= 0;
  }
}
