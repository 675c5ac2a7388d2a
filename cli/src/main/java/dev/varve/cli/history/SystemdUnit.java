// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// A unit of the user's systemd that keeps `varve sync --watch` running.
final class SystemdUnit {

  static final String NAME = "varve-sync.service";

  private SystemdUnit() {}

  /// @param config the user's folder for settings, usually `~/.config`
  static WatchUnit of(WatchCall call, Path config) {
    String command =
        call.words("--watch").stream()
            .map(word -> quote(word.replace("$", "$$")))
            .collect(Collectors.joining(" "));
    StringBuilder environment = new StringBuilder();
    call.variables()
        .forEach(
            (name, value) ->
                environment.append("Environment=").append(quote(name + "=" + value)).append('\n'));
    String content =
        """
        [Unit]
        Description=Varve archives the histories of coding agents

        [Service]
        ExecStart=%s
        %sRestart=on-failure
        RestartSec=30
        Nice=10

        [Install]
        WantedBy=default.target
        """
            .formatted(command, environment);
    return new WatchUnit(
        "systemd",
        config.resolve("systemd").resolve("user").resolve(NAME),
        content,
        List.of(
            "systemctl --user daemon-reload",
            "systemctl --user enable --now " + NAME,
            "loginctl enable-linger    # only if it shall run while you are logged out"));
  }

  private static String quote(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%") + '"';
  }
}
