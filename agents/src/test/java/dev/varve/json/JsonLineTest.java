// SPDX-License-Identifier: Apache-2.0
package dev.varve.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonLineTest {

  private static String printed(JsonLine line) {
    List<String> lines = new ArrayList<>();
    line.print(lines::add);
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }

  @Test
  void anObjectIsOneLineAndAnAbsentValueIsNull() {
    assertThat(
            printed(
                new JsonLine()
                    .text("a", "x\ny")
                    .text("b", null)
                    .numberOrNull("c", null)
                    .number("d", 7)
                    .time("e", Instant.EPOCH)
                    .bool("f", true)
                    .ids("g", List.of(1, 2))
                    .object("h", inner -> inner.id("i", 3))
                    .objects("j", List.of("k"), (inner, each) -> inner.text("l", each))
                    .json("m", "[1.0]")))
        .isEqualTo(
            "{\"a\":\"x\\ny\",\"b\":null,\"c\":null,\"d\":7,\"e\":\"1970-01-01T00:00:00Z\","
                + "\"f\":true,\"g\":[\"1\",\"2\"],\"h\":{\"i\":\"3\"},\"j\":[{\"l\":\"k\"}],"
                + "\"m\":[1.0]}");
  }

  @Test
  void aLoneSurrogateIsWrittenAsTheTextOfItsEscape() {
    assertThat(printed(new JsonLine().text("a", "x\ud83cy\ud83c\udf0a\n")))
        .isEqualTo("{\"a\":\"x\\\\ud83cy\ud83c\udf0a\\n\"}");
  }
}
