// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.cli.Call;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations count with their own times, and not with the time of their import.
final class OldConversationsTest {

  private static final String LONG_AGO = "2024-01-05T09:00:00.000Z";

  @TempDir Path folder;
  private Path store;

  @BeforeEach
  void importSessions() throws IOException {
    store = folder.resolve("s");
    String now = Instant.now().minus(Duration.ofHours(1)).toString();
    session("ended", "first of the ended", LONG_AGO, LONG_AGO);
    session("going-on", "first of the other", LONG_AGO, now);
    assertThat(varve("import", "pi", folder.resolve("sessions").toString()).status()).isZero();
  }

  /// A session with two branches, each with its time.
  private void session(String name, String words, String first, String second) throws IOException {
    Path file = Files.createDirectories(folder.resolve("sessions")).resolve(name + ".jsonl");
    String header =
        "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"%s\",\"cwd\":\"/src/shop\"}\n";
    Files.writeString(
        file,
        header.formatted(name, LONG_AGO)
            + entry("00000001", "null", LONG_AGO, "the question of " + name)
            + entry("00000002", "\"00000001\"", first, words)
            + entry("00000003", "\"00000001\"", second, "second of " + name));
  }

  private static String entry(String id, String parent, String at, String words) {
    String form =
        "{\"type\":\"message\",\"id\":\"%s\",\"parentId\":%s,\"timestamp\":\"%s\","
            + "\"message\":{\"role\":\"user\",\"content\":\"%s\"}}\n";
    return form.formatted(id, parent, at, words);
  }

  private Call.Result varve(String... args) {
    return new Call().on(store, args);
  }

  /// The old session goes as a whole; the old branch of a session that goes on stays with it.
  private void assertOnlyTheEndedSessionIsGone() {
    try (LocalStore open = LocalStore.open(store, StoreOptions.DEFAULTS)) {
      assertThat(has(open, "00000001", "null", "the question of ended")).isFalse();
      assertThat(has(open, "00000002", "\"00000001\"", "first of the ended")).isFalse();
      assertThat(has(open, "00000001", "null", "the question of going-on")).isTrue();
      assertThat(has(open, "00000002", "\"00000001\"", "first of the other")).isTrue();
    }
    String goesOn = folder.resolve("sessions/going-on.jsonl").toString();
    assertThat(varve("import", "pi", goesOn).status()).isZero();
  }

  private static boolean has(LocalStore store, String id, String parent, String words) {
    return store.has(Blake3.hash(Payload.utf8(entry(id, parent, LONG_AGO, words).strip())));
  }

  @Test
  void anOldSessionThatWasImportedTodayIsOldForARule() {
    varve("retention", "set", "--older-than", "400d");

    Call.Result applied = varve("retention", "apply", "--yes");

    assertThat(applied.out()).as(applied.err()).startsWith("erased: ");
    assertOnlyTheEndedSessionIsGone();
  }

  @Test
  void anOldSessionThatWasImportedTodayIsOldForAnErasure() {
    Call.Result erased = varve("erase", "--project", "shop", "--before", "400d", "--yes");

    assertThat(erased.out()).as(erased.err()).startsWith("erased: ");
    assertOnlyTheEndedSessionIsGone();
  }
}
