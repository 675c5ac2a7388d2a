// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.TurnId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Payloads that nobody would want to index take bounded room, and the others are found beside
/// them.
final class HostileTextTest {

  @TempDir Path folder;
  private FoundStore found;
  private ContextId context;

  @BeforeEach
  void open() {
    found = new FoundStore(folder.resolve("store"));
    context = found.store.createContext().id();
  }

  @AfterEach
  void close() {
    found.close();
  }

  private long indexBytes() throws IOException {
    found.follow();
    found.reopenSearch();
    try (Stream<Path> files = Files.list(folder.resolve("store/search"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void aLineOfTwentyMegabytesIsFoundByItsBeginning() throws IOException {
    TurnId large = found.say(context, "user", "needle " + "hay stack ".repeat(2_000_000));
    TurnId small = found.say(context, "user", "needle alone");

    assertThat(found.turns("needle")).containsExactlyInAnyOrder(large, small);
    assertThat(indexBytes()).isLessThan(4 << 20);
  }

  @Test
  void dataIsNotIndexed() throws IOException {
    byte[] bytes = new byte[3 << 20];
    new Random(1).nextBytes(bytes);
    TurnId turn = found.say(context, "user", "before " + Base64.getEncoder().encodeToString(bytes));

    assertThat(found.turns("before")).containsExactly(turn);
    assertThat(indexBytes()).isLessThan(64 << 10);
  }

  @Test
  void oddCharactersHinderNothing() {
    TurnId turn =
        found.say(context, "user", "\u0000\u001b[31mred\u202e txet \ud800 needle\u0007\u200b");

    assertThat(found.turns("needle")).containsExactly(turn);
    assertThat(found.turns("red")).containsExactly(turn);
  }

  @Test
  void manyFieldsAndDepthsAreBounded() throws IOException {
    StringBuilder fields = new StringBuilder("{\"first\":\"needle here\"");
    for (int i = 0; i < 20_000; i++) {
      fields.append(",\"field").append(i).append("\":\"value").append(i).append('"');
    }
    TurnId wide = found.line(context, fields.append('}').toString());
    found.line(context, "[".repeat(5000) + "]".repeat(5000));
    found.line(context, "{\"role\":\"user\",\"content\":");

    assertThat(found.turns("needle")).containsExactly(wide);
    assertThat(found.turns("value19999")).isEmpty();
    assertThat(indexBytes()).isLessThan(8 << 20);
  }
}
