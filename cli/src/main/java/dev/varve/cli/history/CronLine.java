// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.terminal.ShellWord;
import java.util.List;
import java.util.stream.Collectors;

/// A line for cron that runs `varve sync` every ten minutes, where nothing keeps a watch running.
final class CronLine {

  private CronLine() {}

  static WatchUnit of(WatchCall call) {
    String variables =
        call.variables().entrySet().stream()
            .map(entry -> entry.getKey() + "=" + ShellWord.quote(entry.getValue()) + " ")
            .collect(Collectors.joining());
    String command =
        call.words("--quiet").stream().map(ShellWord::quote).collect(Collectors.joining(" "));
    // to cron, a % is the end of the command
    String line = (variables + command).replace("%", "\\%");
    return new WatchUnit(
        "cron",
        null,
        "*/10 * * * * " + line + " > /dev/null\n",
        List.of("crontab -e    # and add the line"));
  }
}
