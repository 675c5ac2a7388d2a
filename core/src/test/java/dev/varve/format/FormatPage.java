// SPDX-License-Identifier: Apache-2.0
package dev.varve.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A page of `docs/format/`: under each heading at most one table of fields and one example, a
/// `hexdump -C` in a block that is called `hex`.
public final class FormatPage {

  private final String name;
  private final List<String> lines;

  private FormatPage(String name, List<String> lines) {
    this.name = name;
    this.lines = lines;
  }

  /// The page `docs/format/<name>.md`.
  public static FormatPage of(String name) {
    Path page = Path.of(System.getProperty("root.dir"), "docs", "format", name + ".md");
    try {
      return parse(name, Files.readString(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static FormatPage parse(String name, String text) {
    return new FormatPage(name, text.lines().toList());
  }

  /// The table under a heading: the rows whose columns are `offset`, `size`, `field` and `meaning`.
  public FieldTable table(String heading) {
    List<FieldTable.Row> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : section(heading)) {
      if (line.equals("| offset | size | field | meaning |")) {
        inside = true;
      } else if (inside && line.startsWith("|--")) {
        continue;
      } else if (inside && line.startsWith("|")) {
        rows.add(row(line));
      } else {
        inside = false;
      }
    }
    if (rows.isEmpty()) {
      throw new AssertionError(name + ": no table of fields under '" + heading + "'");
    }
    return new FieldTable(rows);
  }

  private FieldTable.Row row(String line) {
    String[] cells = line.split("\\|", -1);
    if (cells.length != 6 || !cells[3].matches(" `\\w+` ") || cells[4].isBlank()) {
      throw new AssertionError(name + ": not a row of a field: " + line);
    }
    return new FieldTable.Row(
        cells[1].strip(), cells[2].strip(), cells[3].strip().replace("`", ""));
  }

  /// The example under a heading.
  public String example(String heading) {
    List<String> section = section(heading);
    int start = section.indexOf("```hex") + 1;
    int length = section.subList(start, section.size()).indexOf("```");
    if (start == 0 || length < 0) {
      throw new AssertionError(name + ": no example under '" + heading + "'");
    }
    return String.join("\n", section.subList(start, start + length)) + "\n";
  }

  private List<String> section(String heading) {
    int start = -1;
    for (int i = 0; i < lines.size(); i++) {
      boolean isHeading = lines.get(i).matches("#+ .*");
      if (start >= 0 && isHeading) {
        return lines.subList(start, i);
      }
      if (isHeading && lines.get(i).replaceFirst("#+ ", "").equals(heading)) {
        start = i + 1;
      }
    }
    if (start < 0) {
      throw new AssertionError(name + ": no heading '" + heading + "'");
    }
    return lines.subList(start, lines.size());
  }
}
