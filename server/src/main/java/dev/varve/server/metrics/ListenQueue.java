// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Connections that the system has made and the service has not accepted yet, from Linux's
/// `/proc/net`.
public final class ListenQueue {

  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  /// A socket that listens: its port, and the length of its queue, both in hex.
  private static final Pattern LISTENING =
      Pattern.compile("(?m)^ *\\d+: \\w+:(\\w{4}) \\w+:0000 0A \\w{8}:(\\w{8}) ");

  private ListenQueue() {}

  /// The number of connections that wait at a port; -1 if unknown.
  public static long length(int port) {
    long length = -1;
    for (Path table : TABLES) {
      long here = length(port, table);
      length = here < 0 ? length : Math.max(0, length) + here;
    }
    return length;
  }

  private static long length(int port, Path table) {
    long length = -1;
    try {
      Matcher sockets = LISTENING.matcher(Files.readString(table));
      while (sockets.find()) {
        if (Integer.parseInt(sockets.group(1), 16) == port) {
          length = Math.max(0, length) + Long.parseLong(sockets.group(2), 16);
        }
      }
    } catch (IOException e) {
      return -1; // another system
    }
    return length;
  }
}
