// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The same work again and again: how long it took, and what of the processor.
final class MeasuredRuns {

  interface Work {
    void run() throws Exception;
  }

  private final List<Double> wallMillis = new ArrayList<>();
  private double processorMillis;

  void measure(Work work) throws Exception {
    double processor = processorNow();
    long nanos = System.nanoTime();
    work.run();
    wallMillis.add((System.nanoTime() - nanos) / 1e6);
    processorMillis += processorNow() - processor;
  }

  double median() {
    List<Double> sorted = new ArrayList<>(wallMillis);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  double processor() {
    return processorMillis / wallMillis.size();
  }

  /// Of this process, and of those that it ran and that have ended.
  private static double processorNow() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long hundredths = 0;
    for (int i = 11; i <= 14; i++) {
      hundredths += Long.parseLong(fields[i]);
    }
    return hundredths * 10;
  }
}
