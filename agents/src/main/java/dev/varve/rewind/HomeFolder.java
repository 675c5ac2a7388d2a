// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The user's home folder as git sees it: `$HOME`, and only without this variable the folder of the
/// password file, which Java knows. In containers, under `sudo` and in scripts the two folders
/// differ.
public final class HomeFolder {

  private HomeFolder() {}

  public static Path folder() {
    return folder(System.getenv("HOME"), System.getProperty("user.home", "/"));
  }

  /// @param variable the value of `$HOME`; null if it is not set
  static Path folder(@org.jspecify.annotations.Nullable String variable, String otherwise) {
    try {
      Path named = Path.of(variable == null ? "" : variable);
      return named.isAbsolute() ? named.normalize() : Path.of(otherwise).toAbsolutePath();
    } catch (InvalidPathException e) {
      return Path.of(otherwise).toAbsolutePath();
    }
  }
}
