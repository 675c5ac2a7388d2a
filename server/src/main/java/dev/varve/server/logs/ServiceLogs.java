// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import java.time.InstantSource;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The logs of a service, while they are open.
public final class ServiceLogs implements RequestLog, AutoCloseable {

  private final @Nullable AuditFile audit;
  private final @Nullable QueuedLog access;
  private final @Nullable QueuedLog slow;
  private final long slowNanos;

  private ServiceLogs(@Nullable AuditFile audit, LogConfig config, InstantSource clock) {
    LogConfig.SlowRequests slowRequests = config.slow();
    this.audit = audit;
    access =
        config.access() == null
            ? null
            : QueuedLog.start("request", config.access().get(), config.format(), clock);
    slow =
        slowRequests == null
            ? null
            : QueuedLog.start("slow", slowRequests.sink(), config.format(), clock);
    slowNanos = slowRequests == null ? 0 : slowRequests.least().toNanos();
  }

  /// Opens the files; none stays open if one cannot be opened.
  ///
  /// @throws dev.varve.StoreException.Io if a file cannot be written
  public static ServiceLogs open(LogConfig config, InstantSource clock) {
    AuditFile audit = config.audit() == null ? null : AuditFile.open(config.audit(), clock);
    try {
      return new ServiceLogs(audit, config, clock);
    } catch (RuntimeException e) {
      if (audit != null) {
        audit.close();
      }
      throw e;
    }
  }

  @Override
  public void answered(AnsweredRequest request) {
    if (audit != null) {
      audit.answered(request);
    }
    if (access != null) {
      access.answered(request);
    }
    if (slow != null && request.cost().nanos() >= slowNanos) {
      slow.answered(request);
    }
  }

  /// Hands over the name and the number of the lines that are missing from each open log.
  public void losses(BiConsumer<String, LongSupplier> gauge) {
    if (audit != null) {
      gauge.accept("varve_audit_entries_lost", audit::lost);
    }
    if (access != null) {
      gauge.accept("varve_access_lines_lost", access::lost);
    }
    if (slow != null) {
      gauge.accept("varve_slow_lines_lost", slow::lost);
    }
  }

  @Override
  public void close() {
    if (slow != null) {
      slow.close();
    }
    if (access != null) {
      access.close();
    }
    if (audit != null) {
      audit.close();
    }
  }
}
