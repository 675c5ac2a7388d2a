// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The program that keeps a user's services running on a system, and the unit for it.
final class SystemSupervisor {

  /// The folder that a system has while systemd supervises it.
  private static final Path SYSTEMD = Path.of("/run/systemd/system");

  private SystemSupervisor() {}

  /// The unit for the system on which this runs.
  static WatchUnit unit(WatchCall call, Terminal terminal) {
    String config = terminal.variable("XDG_CONFIG_HOME");
    return unit(
        call,
        System.getProperty("os.name", ""),
        Files.isDirectory(SYSTEMD),
        config.isEmpty() ? call.userHome().resolve(".config") : Path.of(config));
  }

  /// The unit for a system.
  ///
  /// @param system the name of the operating system
  /// @param systemd whether systemd supervises the system
  /// @param config the user's folder for settings, on Linux
  static WatchUnit unit(WatchCall call, String system, boolean systemd, Path config) {
    if (system.toLowerCase(Locale.ROOT).startsWith("mac")) {
      return LaunchAgent.of(call);
    }
    return systemd ? SystemdUnit.of(call, config) : CronLine.of(call);
  }
}
