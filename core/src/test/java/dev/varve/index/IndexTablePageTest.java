// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.LocalDisk;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `docs/format/index-table.md` says what the code does.
class IndexTablePageTest {

  private static final Pattern FIELD =
      Pattern.compile("^\\| (\\d+) \\| (\\d+) \\| `(\\w+)` \\|", Pattern.MULTILINE);
  private static final Pattern HEX = Pattern.compile("```hex\\n(.*?)```", Pattern.DOTALL);

  @TempDir Path temp;

  @Test
  void theHeaderHasThePagesFields() throws Exception {
    List<String> onThePage = FIELD.matcher(page()).results().map(this::field).toList();
    List<String> inCode = new ArrayList<>();
    for (MemoryLayout member : TableHeader.LAYOUT.memberLayouts()) {
      String name = member.name().orElseThrow();
      long offset = TableHeader.LAYOUT.byteOffset(PathElement.groupElement(name));
      inCode.add(offset + " " + member.byteSize() + " " + name);
    }
    assertThat(onThePage).isEqualTo(inCode);
  }

  @Test
  void theExampleHasThePagesBytes() throws Exception {
    var disk = LocalDisk.open(temp);
    var source = new ListSource();
    source.add(0x0123456789abcdefL, 7);
    source.add(0xfedcba9876543210L, 4096);
    UUID store = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    FingerprintTable.open(disk, "example", 1, store, source).close();
    byte[] bytes = Files.readAllBytes(temp.resolve("example"));
    assertThat(bytes).hasSize(8192);
    MatchResult onThePage = HEX.matcher(page()).results().findFirst().orElseThrow();
    assertThat(onThePage.group(1)).isEqualTo(dump(bytes));
  }

  private String field(MatchResult row) {
    return row.group(1) + " " + row.group(2) + " " + row.group(3);
  }

  /// Lines of 16 bytes, but for those that are all zeros.
  private static String dump(byte[] bytes) {
    var lines = new StringBuilder();
    HexFormat hex = HexFormat.ofDelimiter(" ");
    for (int at = 0; at < bytes.length; at += 16) {
      String line = hex.formatHex(bytes, at, at + 16);
      if (!line.replace(" ", "").matches("0+")) {
        lines.append("%04x  %s%n".formatted(at, line));
      }
    }
    return lines.toString();
  }

  private static String page() throws Exception {
    Path root = Path.of(System.getProperty("root.dir"));
    return Files.readString(root.resolve("docs/format/index-table.md"));
  }
}
