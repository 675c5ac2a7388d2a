// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The logs of requests that a service keeps.
///
/// @param audit the file in which writes are recorded, always as JSON; null for none
/// @param access opens the place in which all requests are recorded; null for none
/// @param slow the requests that are recorded because they took long; null for none
/// @param format of the lines about all requests and about slow ones
public record LogConfig(
    @Nullable Path audit,
    @Nullable Supplier<LineSink> access,
    @Nullable SlowRequests slow,
    LogFormat format) {

  public static final LogConfig NONE = new LogConfig(null, null, null, LogFormat.TEXT);

  /// @param least the time from which on a request counts as slow
  /// @param sink where their lines go
  public record SlowRequests(Duration least, LineSink sink) {}

  public LogConfig withAudit(@Nullable Path value) {
    return new LogConfig(value, access, slow, format);
  }

  /// The same configuration with an access log in a file.
  public LogConfig withAccess(Path file) {
    return withAccess(() -> LogFile.open(file));
  }

  public LogConfig withAccess(Supplier<LineSink> value) {
    return new LogConfig(audit, value, slow, format);
  }

  public LogConfig withSlow(Duration least, LineSink sink) {
    return new LogConfig(audit, access, new SlowRequests(least, sink), format);
  }

  public LogConfig withFormat(LogFormat value) {
    return new LogConfig(audit, access, slow, value);
  }
}
