// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// An agent of the user's launchd that keeps `varve sync --watch` running.
final class LaunchAgent {

  private static final String LABEL = "dev.varve.sync";

  private LaunchAgent() {}

  static WatchUnit of(WatchCall call) {
    Path file = call.userHome().resolve("Library/LaunchAgents").resolve(LABEL + ".plist");
    String words =
        call.words("--watch").stream()
            .map(word -> "    <string>" + escape(word) + "</string>\n")
            .collect(Collectors.joining());
    String variables =
        call.variables().entrySet().stream()
            .map(
                entry ->
                    "    <key>"
                        + escape(entry.getKey())
                        + "</key>\n    <string>"
                        + escape(entry.getValue())
                        + "</string>\n")
            .collect(Collectors.joining());
    String content =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>Label</key>
          <string>%s</string>
          <key>ProgramArguments</key>
          <array>
        %s  </array>
          <key>EnvironmentVariables</key>
          <dict>
        %s  </dict>
          <key>RunAtLoad</key>
          <true/>
          <key>KeepAlive</key>
          <dict>
            <key>SuccessfulExit</key>
            <false/>
          </dict>
          <key>ProcessType</key>
          <string>Background</string>
        </dict>
        </plist>
        """
            .formatted(LABEL, words, variables);
    return new WatchUnit(
        "launchd",
        file,
        content,
        List.of("launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/" + LABEL + ".plist"));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
