// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.format.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/protocol.md` tells each message as the code writes it: fields, their order, their sizes.
class ProtocolPageTest {

  private static final Pattern FIELD = Pattern.compile("\\| ([^|]+) \\| `(\\w+)` \\| [^|]+ \\|");
  private static final Pattern PART =
      Pattern.compile("\\| \\| \\*\\[[^]]+]\\(#([a-z-]+)\\)\\* \\| \\|");
  private static final Map<String, String> SECTIONS = sections();

  private static Map<String, String> sections() {
    Map<String, String> sections = new LinkedHashMap<>();
    try {
      String page =
          Files.readString(Path.of(System.getProperty("root.dir"), "docs", "protocol.md"));
      for (String section : page.split("(?m)^#+ ")) {
        String[] parts = section.split("\n", 2);
        sections.put(parts[0], parts.length > 1 ? parts[1] : "");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sections;
  }

  private static String section(String heading) {
    String section = SECTIONS.get(heading);
    assertThat(section).as("a section '%s'", heading).isNotNull();
    return section;
  }

  /// The rows of the table that follows `label`, parts put in: `size name`.
  private static List<String> told(String heading, String label) {
    String section = section(heading);
    int start = section.indexOf(label + ":");
    assertThat(start).as("'%s' has '%s:'", heading, label).isNotNegative();
    String rest = section.substring(start + label.length() + 1).strip();
    Matcher same = Pattern.compile("^as of (\\w+)\\.").matcher(rest);
    if (same.find()) {
      MessageType other = MessageType.valueOf(same.group(1));
      return told(other.number() + " " + other, label);
    }
    return rest.startsWith("no fields") ? List.of() : rows(rest);
  }

  private static List<String> rows(String text) {
    List<String> rows = new ArrayList<>();
    for (String line : text.lines().skip(2).toList()) {
      if (!line.startsWith("|")) {
        break;
      }
      Matcher part = PART.matcher(line);
      Matcher field = FIELD.matcher(line);
      if (part.matches()) {
        String name = part.group(1).replace('-', ' ');
        String heading = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        rows.addAll(rows(section(heading).strip()));
      } else {
        assertThat(field.matches()).as("a row of a field: %s", line).isTrue();
        rows.add(field.group(1).replace("`", "") + " " + field.group(2));
      }
    }
    return rows;
  }

  /// The same of what the code writes. A size that a field before tells is that field's name.
  private static List<String> written(Consumer<FieldWriter> message) {
    List<String> rows = new ArrayList<>();
    Map<String, Integer> lengths = new HashMap<>();
    int[] end = {0};
    FieldWriter[] fields = new FieldWriter[1];
    fields[0] =
        new FieldWriter(
            64,
            (name, offset, sizeBytes) -> {
              assertThat(offset).as("%s follows the field before", name).isEqualTo(end[0]);
              end[0] = offset + sizeBytes;
              lengths.put(name, sizeBytes);
              String size =
                  lengths.containsKey(name + "_len") ? name + "_len" : String.valueOf(sizeBytes);
              rows.add(size + " " + name);
            });
    message.accept(fields[0]);
    return rows;
  }

  @Test
  void thePageTellsEveryMessageAsItIsWritten() {
    for (Messages.Pair pair : Messages.ALL) {
      MessageType type = pair.request().type();
      String heading = type.number() + " " + type;
      assertThat(told(heading, "Request"))
          .as("request %s", heading)
          .isEqualTo(written(pair.request()::write));
      assertThat(told(heading, "Answer"))
          .as("answer to %s", heading)
          .isEqualTo(written(pair.response()::write));
    }
    List<String> error = written(Messages.ERROR::write);
    List<String> oncePart = error.subList(0, error.size() - 4); // it has three parts, the page one
    assertThat(told("255 ERROR", "Answer")).isEqualTo(oncePart);
  }

  @Test
  void thePageTellsTheHeader() {
    assertThat(rows(section("Frame").strip()))
        .containsExactly("4 len", "2 msg_type", "2 flags", "8 req_id", "len payload");
    byte[] frame = new Frame(0x0102, 0x0304, 0x05, new byte[] {9, 9}).bytes();
    assertThat(Bytes.hex(frame))
        .isEqualTo("02000000" + "0201" + "0403" + "0500000000000000" + "0909");
  }

  @Test
  void thePageTellsNoMessageThatIsNotThere() {
    List<String> told =
        SECTIONS.keySet().stream().filter(heading -> heading.matches("\\d+ [A-Z_]+")).toList();
    assertThat(told)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(MessageType.values()).map(type -> type.number() + " " + type).toList());
  }

  @Test
  void theExamplesAreWhatIsWritten() {
    Map<String, byte[]> examples = ExampleFrames.all();
    examples.forEach(
        (name, frame) ->
            assertThat(section(name)).contains("```hex\n" + Bytes.dump(frame) + "```"));
    assertThat(examples).isNotEmpty();
  }
}
