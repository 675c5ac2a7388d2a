// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands by which erased content could come back into a store: each is repeated behind an
/// erasure, and brings back nothing.
final class ErasedStaysGoneTest {

  private static final String SECRET = "the-erased-words-5417";

  @TempDir Path folder;

  private Call.Result on(String store, String... args) {
    return new Call()
        .with("HOME", folder.resolve("home").toString())
        .with("JP_USER_DATA_DIR", folder.resolve("data").toString())
        .with("PI_CODING_AGENT_DIR", folder.resolve("pi-" + store).toString())
        .on(folder.resolve(store), args);
  }

  private Call.Result done(String store, String... args) {
    Call.Result result = on(store, args);
    assertThat(result.status()).as("%s: %s", String.join(" ", args), result.err()).isZero();
    return result;
  }

  private void erase(String store) throws IOException {
    assertThat(done(store, "erase", "--secret", SECRET, "--yes").out()).startsWith("erased: ");
    assertGone(store);
  }

  /// No blob of the store has the secret, and the store is sound.
  private void assertGone(String store) throws IOException {
    assertThat(done(store, "erase", "--secret", SECRET, "--dry-run").out())
        .startsWith("would go: 0 blobs");
    try (Stream<Path> files = Files.list(folder.resolve(store))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as("%s", file)
            .doesNotContain(SECRET);
      }
    }
    assertThat(done(store, "check").out()).contains("no problems");
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void neitherPuttingNorAppendingNorPatchingBringsItBack() throws IOException {
    done("s", "new");
    assertThat(new Call().input(SECRET).on(folder.resolve("s"), "append", "1").status()).isZero();
    assertThat(new Call().input("other").on(folder.resolve("s"), "append", "1").status()).isZero();
    erase("s");

    for (List<String> way :
        List.of(
            List.of("put"),
            List.of("append", "1"),
            List.of("append", "1", "--key", "again"),
            List.of("patch", "2"))) {
      Call.Result again =
          new Call().input(SECRET).on(folder.resolve("s"), way.toArray(String[]::new));
      assertThat(again.status()).as("%s", way).isEqualTo(2);
      assertThat(again.err()).contains("erased on ");
    }
    assertGone("s");
  }

  @Test
  void aSyncDoesNotBringItBackAndTakesWhatIsNew() throws IOException {
    String head =
        """
        {"sessionId":"0a1b2c3d-0000-4000-8000-000000000001","projectHash":"x","startTime":"2026-01-05T10:00:00.000Z","kind":"main"}
        {"id":"u","timestamp":"2026-01-05T10:00:01.000Z","type":"user","content":[{"text":"%s"}]}
        """;
    String chats = "home/.gemini/tmp/shop/chats/session-2026-01-05T10-0";
    write(chats + "0-0a1b2c3d.jsonl", head.formatted(SECRET));
    assertThat(done("s", "sync").out()).contains("1 session");
    erase("s");

    write(chats + "0-0a1b2c3d.jsonl", head.formatted(SECRET + "\"},{\"text\":\"more"));
    write(
        chats + "1-0a1b2c3e.jsonl", head.replace("2c3d", "2c3e").formatted("a new session beside"));
    Call.Result again = on("s", "sync");

    assertThat(again.out()).as(again.err()).contains("1 new context");
    assertGone("s");
  }

  @Test
  void neitherABundleNorAPushedCopyNorAnotherStoreBringsItBack() throws IOException {
    String name = "2026-01-05T09-10-00-000Z_bbbb-2.jsonl";
    Path session =
        write(
            "pi-a/sessions/--not-here--/" + name,
            """
            {"type":"session","version":3,"id":"bbbb-2","timestamp":"2026-01-05T09:10:00.000Z","cwd":"/not/here"}
            {"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"%s"}}
            """
                .formatted(SECRET));
    String hash = done("a", "pi", "publish", session.toString()).out().strip();
    String bundle = folder.resolve("x.bundle").toString();
    String stick = folder.resolve("stick").toString();
    done("a", "pi", "bundle", "bbbb", "-o", bundle);
    done("a", "pi", "push", hash, "--to", stick);
    Path got = Path.of(done("b", "pi", "get", "--from", bundle).out().strip());
    erase("b");
    Files.delete(got);

    for (List<String> way :
        List.of(
            List.of("pi", "get", "--from", bundle),
            List.of("pi", "get", hash, "--from", stick),
            List.of("pi", "get", hash, "--from", folder.resolve("a").toString()),
            List.of("pi", "publish", session.toString()))) {
      Call.Result again = on("b", way.toArray(String[]::new));
      assertThat(again.status()).as("%s: %s %s", way, again.out(), again.err()).isNotZero();
      assertGone("b");
    }
  }

  @Test
  void anImportOfJpDoesNotBringItBack() throws IOException {
    write("project/.jp/.id", "id\nab1cd");
    String conversation = "project/.jp/conversations/17800000001-first/";
    write(
        conversation + "metadata.json",
        "{\"title\": \"first\", \"last_activated_at\": \"2026-06-01 10:00:00.0\"}");
    write(conversation + "base_config.json", "{}");
    write(
        conversation + "events.json",
        "[{\"timestamp\": \"2026-06-01 10:00:00.0\", \"type\": \"chat_request\","
            + " \"content\": \"c29tZQ==\"},\n{\"timestamp\": \"2026-06-01 10:00:01.0\","
            + " \"type\": \"chat_response\", \"message\": \""
            + SECRET
            + "\"}]\n");
    String[] way = {"import", "jp", "--workspace=" + folder.resolve("project")};
    done("s", way);
    erase("s");

    assertThat(done("s", way).out()).contains(" 0 new turns, 2 shared");

    assertGone("s");
  }

  @Test
  void anEarlierBackupIsNotContinued() throws IOException {
    done("s", "new");
    assertThat(new Call().input(SECRET).on(folder.resolve("s"), "append", "1").status()).isZero();
    String backup = folder.resolve("backup").toString();
    done("s", "backup", backup);
    erase("s");

    Call.Result again = on("s", "backup", backup);

    assertThat(again.status()).isEqualTo(2);
    assertThat(again.err()).contains("still has what was erased");
    done("s", "backup", folder.resolve("fresh").toString());
    assertGone("fresh");
    assertThat(new Call().input(SECRET).on(folder.resolve("fresh"), "put").status()).isEqualTo(2);
  }
}
