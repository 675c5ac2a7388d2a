// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

/// The form of log lines.
public enum LogFormat {
  /// The time, the kind of line, then `name=value` pairs.
  TEXT,
  /// One JSON object a line.
  JSON
}
