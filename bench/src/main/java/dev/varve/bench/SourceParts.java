// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The JDK's own sources (`lib/src.zip`) in parts of 3,000 characters, the files in an order that
/// looks random and is the same each time.
final class SourceParts {

  private static final int PART_CHARS = 3_000;

  /// Takes a part of a source file.
  @FunctionalInterface
  interface Visitor {

    /// @return false to take no more
    boolean part(String path, String text);
  }

  private SourceParts() {}

  static void each(Visitor visitor) throws IOException {
    try (ZipFile sources =
        new ZipFile(Path.of(System.getProperty("java.home"), "lib", "src.zip").toFile())) {
      List<ZipEntry> files =
          sources.stream()
              .filter(entry -> entry.getName().endsWith(".java"))
              .sorted(Comparator.comparing(ZipEntry::getName))
              .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
      Collections.shuffle(files, new Random(15));
      for (ZipEntry file : files) {
        String text =
            new String(sources.getInputStream(file).readAllBytes(), StandardCharsets.UTF_8);
        for (int from = 0; from < text.length(); from += PART_CHARS) {
          String part = text.substring(from, Math.min(text.length(), from + PART_CHARS));
          if (!visitor.part(file.getName(), part)) {
            return;
          }
        }
      }
    }
  }

  /// The sentences of the comments in a part.
  static String sentences(String text) {
    return text.replaceAll("(?m)^\\s*(?!\\*).*$", "").replaceAll("\\s*\\*\\s*", " ").strip();
  }

  /// A text as JSON writes strings, without the quotes.
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + text.length() / 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> escaped.append('\\').append(c);
        case '\n' -> escaped.append("\\n");
        case '\t' -> escaped.append("\\t");
        default -> escaped.append(c < ' ' ? String.format("\\u%04x", (int) c) : c);
      }
    }
    return escaped.toString();
  }
}
