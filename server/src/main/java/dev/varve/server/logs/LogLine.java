// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import java.time.Instant;

/// One line of a log, built field by field. Whatever a client sent, the line stays one line, and no
/// character of it reaches a terminal as a command.
public final class LogLine {

  private static final String HEX = "0123456789abcdef";

  private final LogFormat format;
  private final StringBuilder line = new StringBuilder(256);

  private LogLine(LogFormat format) {
    this.format = format;
  }

  /// A line without a kind, in a log with one kind of line.
  static LogLine at(LogFormat format, Instant time) {
    LogLine made = new LogLine(format);
    made.line.append(format == LogFormat.JSON ? "{\"at\":\"" : "").append(time);
    made.line.append(format == LogFormat.JSON ? "\"" : "");
    return made;
  }

  /// A line of a log with several kinds of lines.
  ///
  /// @param event the kind, one word
  public static LogLine of(LogFormat format, Instant time, String event) {
    LogLine made = at(format, time);
    if (format == LogFormat.JSON) {
      return made.text("event", event);
    }
    made.line.append(' ').append(event);
    return made;
  }

  public LogLine text(String name, String value) {
    name(name);
    if (format == LogFormat.JSON || !isPlain(value)) {
      quote(value);
    } else {
      line.append(value);
    }
    return this;
  }

  public LogLine number(String name, long value) {
    name(name);
    line.append(value);
    return this;
  }

  /// Milliseconds with three digits behind the point.
  LogLine millis(String name, long nanos) {
    name(name);
    long micros = Math.max(0, nanos) / 1000;
    line.append(micros / 1000).append('.');
    long part = micros % 1000;
    line.append(part < 100 ? "0" : "").append(part < 10 ? "0" : "").append(part);
    return this;
  }

  private void name(String name) {
    if (format == LogFormat.JSON) {
      line.append(",\"").append(name).append("\":");
    } else {
      line.append(' ').append(name).append('=');
    }
  }

  /// Returns whether a value can stand in a line of text without quotes.
  private static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) { // a stream would cost as much as the whole line
      char c = value.charAt(i);
      if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '=') {
        return false;
      }
    }
    return !value.isEmpty();
  }

  /// A JSON string. Every character that could break a line or a terminal is escaped.
  private void quote(String text) {
    line.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        line.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          line.append(HEX.charAt(c >> shift & 0xf));
        }
      } else {
        line.append(c);
      }
    }
    line.append('"');
  }

  /// The line without its end.
  public String built() {
    return format == LogFormat.JSON ? line + "}" : line.toString();
  }
}
