// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// `--name value` pairs of a command line.
record BenchOptions(Map<String, String> values) {

  static BenchOptions of(String[] args) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || i + 1 == args.length) {
        throw new IllegalArgumentException("expected --name value, found " + args[i]);
      }
      values.put(args[i].substring(2), args[i + 1]);
    }
    return new BenchOptions(values);
  }

  String get(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  int get(String name, int otherwise) {
    return Integer.parseInt(get(name, Integer.toString(otherwise)));
  }

  double get(String name, double otherwise) {
    return Double.parseDouble(get(name, Double.toString(otherwise)));
  }

  boolean is(String name) {
    return get(name, "no").equals("yes");
  }

  /// Where to put stores; on the disk that is to be measured.
  Path folder() {
    return Path.of(get("folder", System.getProperty("java.io.tmpdir")));
  }
}
