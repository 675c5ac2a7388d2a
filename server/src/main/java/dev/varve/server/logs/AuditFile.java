// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// The audit log: a file with one line of JSON for each writing request, written before the client
/// gets its answer.
///
/// An entry that cannot be written is counted, and the first such failure is logged; the request
/// was carried out already.
final class AuditFile implements RequestLog, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(AuditFile.class.getPackageName());

  private final Path path;
  private final LogFile file;
  private final InstantSource clock;
  private final AtomicLong lost = new AtomicLong();

  private AuditFile(Path path, LogFile file, InstantSource clock) {
    this.path = path;
    this.file = file;
    this.clock = clock;
  }

  /// Opens the file for appending and creates it if it is absent.
  static AuditFile open(Path path, InstantSource clock) {
    return new AuditFile(path, LogFile.open(path), clock);
  }

  @Override
  public void answered(AnsweredRequest request) {
    if (!request.writes()) {
      return;
    }
    String line =
        LogLine.at(LogFormat.JSON, clock.instant())
            .text("port", request.port())
            .text("who", request.who())
            .text("peer", request.peer())
            .text("what", request.what())
            .text("target", request.target())
            .number("status", request.status())
            .built();
    try {
      file.write(line + "\n");
    } catch (IOException e) {
      if (lost.getAndIncrement() == 0) {
        LOG.log(System.Logger.Level.ERROR, path + ": audit entries are lost: " + e.getMessage());
      }
    }
  }

  /// The number of entries that could not be written.
  long lost() {
    return lost.get();
  }

  @Override
  public void close() {
    file.close();
  }
}
