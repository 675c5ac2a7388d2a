// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The user's home folder, as git sees it: `$HOME`, and only without it what Java knows, which is
/// the password file's. In containers, under `sudo` and in scripts the two differ.
public final class Home {

  private Home() {}

  public static Path folder() {
    return folder(System.getenv("HOME"), System.getProperty("user.home", "/"));
  }

  /// @param variable what `$HOME` says
  static Path folder(@org.jspecify.annotations.Nullable String variable, String otherwise) {
    try {
      Path named = Path.of(variable == null ? "" : variable);
      return named.isAbsolute() ? named.normalize() : Path.of(otherwise).toAbsolutePath();
    } catch (InvalidPathException e) {
      return Path.of(otherwise).toAbsolutePath();
    }
  }
}
