// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// The folder in which JP keeps a user's data.
public final class UserData {

  /// The variable that names the folder.
  public static final String VARIABLE = "JP_USER_DATA_DIR";

  private UserData() {}

  /// `$JP_USER_DATA_DIR` as it is; else `$XDG_DATA_HOME/jp` if that is absolute, on any system;
  /// else the system's place.
  ///
  /// @param environment a variable of the process, empty if it is not set
  /// @param system the property `os.name`
  /// @param home the user's folder, where the environment names none
  public static Path of(UnaryOperator<String> environment, String system, Path home) {
    String own = environment.apply(VARIABLE);
    if (!own.isEmpty()) {
      return Path.of(own);
    }
    String shared = environment.apply("XDG_DATA_HOME");
    if (!shared.isEmpty() && Path.of(shared).isAbsolute()) {
      return Path.of(shared, "jp");
    }
    String variable = environment.apply("HOME");
    Path user = variable.isEmpty() ? home : Path.of(variable);
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("windows")) {
      String local = environment.apply("LOCALAPPDATA");
      Path base = local.isEmpty() ? user.resolve("AppData").resolve("Local") : Path.of(local);
      return base.resolve("jp").resolve("data");
    }
    return name.startsWith("mac")
        ? user.resolve("Library").resolve("Application Support").resolve("jp")
        : user.resolve(".local").resolve("share").resolve("jp");
  }
}
