// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Facts about this process and its machine from Linux's `/proc`; on other systems -1 or nothing.
public final class ProcessFacts {

  private static final Pattern KIB = Pattern.compile("(\\w+)(?:\\(\\w+\\))?:\\s+(\\d+) kB");

  private ProcessFacts() {}

  public static long residentBytes() {
    return kib("/proc/self/status").getOrDefault("VmRSS", -1L);
  }

  public static long virtualBytes() {
    return kib("/proc/self/status").getOrDefault("VmSize", -1L);
  }

  public static long openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    } catch (IOException e) {
      return -1;
    }
  }

  public static long heapBytes() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /// `MemTotal` and similar lines, in bytes.
  public static Map<String, Long> systemMemory() {
    return kib("/proc/meminfo");
  }

  private static Map<String, Long> kib(String file) {
    Map<String, Long> values = new HashMap<>();
    try {
      Matcher lines = KIB.matcher(Files.readString(Path.of(file)));
      while (lines.find()) {
        values.put(lines.group(1), Long.parseLong(lines.group(2)) * 1024);
      }
    } catch (IOException e) {
      // another system: nothing is known
    }
    return values;
  }
}
