// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Rates, latencies and errors of the last minutes, in the form of cxdb's dashboard.
public final class RecentActivity {

  /// The kinds of requests that cxdb distinguishes.
  public enum Kind {
    APPEND,
    GET_LAST,
    GET_BLOB,
    REGISTRY_INGEST,
    HTTP_REQ,
    HTTP_ERRORS
  }

  /// Percentiles of the last requests, in milliseconds.
  ///
  /// @param p50 -1, as all others, while nothing was measured
  public record Latency(double p50, double p95, double p99, double max, int count) {}

  private static final int SECONDS = 300;
  private static final int SAMPLES = 2048;

  /// The number of failures that are kept.
  public static final int FAILURES_MAX = 256;

  private final InstantSource clock;
  private final Map<Kind, SecondsWindow> windows = new EnumMap<>(Kind.class);
  private long httpErrors;
  private long binaryErrors;
  private final ArrayDeque<RequestFailure> failures = new ArrayDeque<>();

  RecentActivity(InstantSource clock) {
    this.clock = clock;
    for (Kind kind : Kind.values()) {
      windows.put(kind, new SecondsWindow());
    }
  }

  synchronized void answered(String port, String operation, int status, long nanos) {
    long second = clock.instant().getEpochSecond();
    if (status < 400) {
      Kind kind = kind(operation.toLowerCase(Locale.ROOT).replace("_", ""));
      if (kind != null) {
        window(kind).add(second, nanos);
      }
    }
    if (port.equals("http")) {
      window(Kind.HTTP_REQ).add(second, nanos);
      if (status >= 400) {
        window(Kind.HTTP_ERRORS).add(second, nanos);
        httpErrors++;
      }
    } else if (status >= 400) {
      binaryErrors++;
    }
  }

  synchronized void failed(RequestFailure failure) {
    failures.addFirst(failure);
    if (failures.size() > FAILURES_MAX) {
      failures.removeLast();
    }
  }

  /// The newest failures, the newest first.
  public synchronized List<RequestFailure> failures(int limit) {
    return failures.stream().limit(limit).toList();
  }

  private static @org.jspecify.annotations.Nullable Kind kind(String operation) {
    return switch (operation) {
      case "appendturn", "appendturntoo", "appendturns", "turnappend" -> Kind.APPEND;
      case "getlast", "listturns", "pagelast" -> Kind.GET_LAST;
      case "getblob", "blobread" -> Kind.GET_BLOB;
      case "putbundle" -> Kind.REGISTRY_INGEST;
      default -> null;
    };
  }

  private SecondsWindow window(Kind kind) {
    SecondsWindow window = windows.get(kind);
    if (window == null) {
      throw new AssertionError(kind);
    }
    return window;
  }

  /// The rate over the last `seconds` seconds.
  public synchronized double perSecond(Kind kind, int seconds) {
    return window(kind).sum(clock.instant().getEpochSecond(), seconds) / (double) seconds;
  }

  /// The counts of the last `seconds` seconds, oldest first.
  public synchronized long[] history(Kind kind, int seconds) {
    return window(kind).history(clock.instant().getEpochSecond(), seconds);
  }

  /// The time of the slowest request in each of the last `seconds` seconds, in milliseconds, oldest
  /// first; 0 for a second without one.
  public synchronized double[] slowest(Kind kind, int seconds) {
    return window(kind).slowest(clock.instant().getEpochSecond(), seconds);
  }

  public synchronized Latency latency(Kind kind) {
    return window(kind).latency();
  }

  public synchronized long httpErrors() {
    return httpErrors;
  }

  public synchronized long binaryErrors() {
    return binaryErrors;
  }

  /// A count and the longest time for each of the last seconds, and the last samples. Guarded by
  /// its owner's monitor.
  private static final class SecondsWindow {

    private final long[] counts = new long[SECONDS];
    private final long[] longest = new long[SECONDS];
    private final long[] seconds = new long[SECONDS];
    private final long[] samples = new long[SAMPLES];
    private long taken;

    void add(long second, long nanos) {
      int slot = Math.floorMod(second, SECONDS);
      if (seconds[slot] != second) {
        seconds[slot] = second;
        counts[slot] = 0;
        longest[slot] = 0;
      }
      counts[slot]++;
      longest[slot] = Math.max(longest[slot], nanos);
      samples[(int) (taken++ % SAMPLES)] = nanos;
    }

    long sum(long now, int last) {
      return Arrays.stream(history(now, last)).sum();
    }

    long[] history(long now, int last) {
      return lastOf(counts, now, last);
    }

    double[] slowest(long now, int last) {
      return Arrays.stream(lastOf(longest, now, last)).mapToDouble(nanos -> nanos / 1e6).toArray();
    }

    private long[] lastOf(long[] values, long now, int last) {
      long[] history = new long[last];
      for (int i = 0; i < last; i++) {
        long second = now - last + 1 + i;
        int slot = Math.floorMod(second, SECONDS);
        history[i] = seconds[slot] == second ? values[slot] : 0;
      }
      return history;
    }

    Latency latency() {
      int count = (int) Math.min(taken, SAMPLES);
      if (count == 0) {
        return new Latency(-1, -1, -1, -1, 0);
      }
      long[] sorted = Arrays.copyOf(samples, count);
      Arrays.sort(sorted);
      return new Latency(at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.99), at(sorted, 1), count);
    }

    private static double at(long[] sorted, double part) {
      int index = Math.min(sorted.length - 1, (int) (part * sorted.length));
      return sorted[index] / 1e6;
    }
  }
}
