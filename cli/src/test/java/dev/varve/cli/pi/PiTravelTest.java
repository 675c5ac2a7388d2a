// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two computers: two folders of Pi, two stores.
final class PiTravelTest {

  private static final String NAME = "2026-01-05T09-10-00-000Z_bbbb-2.jsonl";

  @TempDir Path folder;

  private Path root;
  private Path fork;
  private String hash = "";

  @BeforeEach
  void publish() throws IOException {
    root = session("2026-01-05T09-00-00-000Z_aaaa-1.jsonl", "aaaa-1", "");
    fork = session(NAME, "bbbb-2", ",\"parentSession\":\"" + root + "\"");
    hash = a("publish", fork.toString()).out().strip();
  }

  private Path session(String name, String id, String more) throws IOException {
    Path sessions =
        Files.createDirectories(folder.toRealPath().resolve("pi-a/sessions/--not-here--"));
    String time = name.substring(0, 13) + ":" + name.substring(14, 16) + ":00.000Z";
    return Files.writeString(
        sessions.resolve(name),
        "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"%s\",\"cwd\":\"/not/here\"%s}\n"
                .formatted(id, time, more)
            + "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null}\n");
  }

  private Call.Result on(String computer, String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "pi";
    System.arraycopy(args, 0, all, 1, args.length);
    return new Call()
        .with("PI_CODING_AGENT_DIR", folder.resolve("pi-" + computer).toString())
        .on(folder.resolve("store-" + computer), all);
  }

  private Call.Result a(String... args) {
    return on("a", args);
  }

  private Call.Result b(String... args) {
    return on("b", args);
  }

  private void isWherePiFindsIt(Call.Result got) {
    Path expected = folder.resolve("pi-b/sessions/--not-here--").resolve(NAME);
    assertThat(got.status()).as(got.err()).isZero();
    assertThat(got.out()).isEqualTo(expected + "\n");
    assertThat(expected).hasSameBinaryContentAs(fork);
    assertThat(got.err()).contains("/not/here").contains("--cwd");
  }

  @Test
  void aBundleTakesItThere() {
    String bundle = folder.resolve("x.bundle").toString();

    assertThat(a("bundle", "bbbb", "-o", bundle).out()).isEqualTo(hash + "\n");
    assertThat(b("verify", bundle).out())
        .startsWith("verified 2 branches, 4 blobs, ")
        .endsWith("no problems\n");
    isWherePiFindsIt(b("get", "--from", bundle));
    assertThat(b("verify", hash).status()).isZero();
    assertThat(b("list").out()).contains(hash);
    assertThat(a("bundle", "bbbb", "-o", bundle).status()).as("there already").isEqualTo(2);
  }

  @Test
  void aFolderTakesItThere() {
    String stick = folder.resolve("stick").toString();

    assertThat(a("push", hash, "--to", stick).err()).contains("4 of 4 blobs sent");
    assertThat(a("push", hash.substring(0, 8), "--to", stick, "--json").out())
        .contains("\"blobs_sent\":0");
    isWherePiFindsIt(b("get", hash, "--from", stick));
    assertThat(b("get", hash).err()).contains("there already");
  }

  @Test
  void anotherStoreTakesItThere() {
    isWherePiFindsIt(b("get", hash, "--from", folder.resolve("store-a").toString()));
    assertThat(b("list", "--json").lines()).hasSize(1);
    assertThat(b("get", hash, "--parents", "--json").out()).contains("\"chain\":2");
    assertThat(b("list", "--json").lines()).as("its parent too").hasSize(2);
  }

  @Test
  void aNewSessionIsMadeForAnotherFolder() throws IOException {
    Path project = Files.createDirectory(folder.resolve("shop"));

    Call.Result got =
        b("get", hash, "--from", folder.resolve("store-a").toString(), "--cwd", project.toString());

    assertThat(got.err()).contains("a new session");
    assertThat(Files.readString(Path.of(got.out().strip())))
        .contains("\"cwd\":\"" + project.toRealPath() + "\"")
        .contains(
            "\"parentSession\":\"" + folder.resolve("pi-b/sessions/--not-here--") + "/" + NAME)
        .endsWith("{\"type\":\"message\",\"id\":\"a\",\"parentId\":null}\n");
    assertThat(b("publish", got.out().strip(), "--json").out())
        .as("its parent is the branch that was fetched")
        .contains("\"parent_hash\":\"" + hash + "\"");
  }

  @Test
  void whatGoesOnThereKeepsItsParents() throws IOException {
    String file = b("get", hash, "--from", folder.resolve("store-a").toString()).out().strip();
    String parent =
        b("publish", file, "--json").out().replaceAll("(?s).*\"parent_hash\":\"(.{64}).*", "$1");
    Files.delete(root); // that path means nothing on another computer
    Files.writeString(
        Path.of(file), Files.readString(Path.of(file)) + "{\"type\":\"label\",\"id\":\"b\"}\n");

    assertThat(b("publish", file, "--json").out()).contains("\"parent_hash\":\"" + parent + "\"");
  }

  @Test
  void anythingElseIsToldAndOverwritesNothing() throws IOException {
    String from = folder.resolve("store-a").toString();
    Path place = folder.resolve("pi-b/sessions/--not-here--").resolve(NAME);
    Files.createDirectories(place.getParent());
    Files.writeString(place, "mine");

    Call.Result taken = b("get", hash, "--from", from);
    assertThat(taken.status()).isEqualTo(2);
    assertThat(taken.err()).contains("another file").contains("-o FILE");
    assertThat(place).hasContent("mine");
    assertThat(b("get", hash, "-o", folder.resolve("out.jsonl").toString()).status()).isZero();

    assertThat(b("get", "0".repeat(64), "--from", from).status()).isEqualTo(1);
    assertThat(b("get", "zz", "--from", from).status()).isEqualTo(2);
    assertThat(b("get", "--from", from).status()).isEqualTo(2);
    assertThat(b("get", hash, "--from", folder.resolve("none").toString()).status()).isEqualTo(1);
    assertThat(b("get", hash, "--from", fork.toString()).status()).as("no bundle").isEqualTo(3);
    assertThat(b("get", hash, "--cwd", "x", "-o", "y").status()).isEqualTo(2);
    assertThat(b("verify", "nothing").status()).isEqualTo(1);
    assertThat(a("push", hash).status()).as("where to?").isEqualTo(2);
  }

  @Test
  void aTokenIsNotSentInTheClear() {
    Call.Result pushed =
        new Call()
            .with("VARVE_TOKEN", "secret")
            .on(folder.resolve("store-a"), "pi", "push", hash, "--to", "http://192.0.2.1:9010");

    assertThat(pushed.status()).isEqualTo(2);
    assertThat(pushed.err()).contains("in the clear").doesNotContain("secret");
  }

  @Test
  void theIndexIsMadeAgainFromTheSessions() throws IOException {
    Path index = Path.of(a("manifest").out().strip());
    byte[] before = Files.readAllBytes(index);
    Files.writeString(index, "not mine");

    assertThat(a("list").status()).isEqualTo(3);
    assertThat(a("manifest", "--rebuild").status()).isZero();

    assertThat(index).hasBinaryContent(before);
  }

  @Test
  void whatSaysAnythingIsWrittenWhereItIsTold() throws IOException {
    Path odd =
        Files.writeString(
            folder.resolve("odd.jsonl"),
            "{\"type\":\"session\",\"version\":3,\"id\":\"..\",\"timestamp\":\"x\",\"cwd\":\"/a\\u0000b\"}\n");
    String branch = a("publish", odd.toString()).out().strip();
    Path out = folder.resolve("out.jsonl");

    assertThat(a("get", branch).status()).isEqualTo(2);
    assertThat(a("get", branch, "-o", out.toString()).status()).isZero();
    assertThat(out).hasSameBinaryContentAs(odd);
  }

  @Test
  void oneThatCannotBeWrittenDoesNotHoldUpTheOthers() throws IOException {
    String bundle = folder.resolve("both.bundle").toString();
    String rootHash = a("publish", root.toString()).out().strip();
    a("bundle", rootHash, hash, "-o", bundle);
    Path taken = folder.resolve("pi-b/sessions/--not-here--").resolve(root.getFileName());
    Files.createDirectories(taken.getParent());
    Files.writeString(taken, "mine");

    Call.Result got = b("get", "--from", bundle);

    assertThat(got.status()).isEqualTo(2);
    assertThat(got.err()).contains(rootHash);
    assertThat(got.lines()).hasSize(1);
    assertThat(taken).hasContent("mine");
  }

  @Test
  void whatIsNoBundleIsToldAsSuch() throws IOException {
    Path none = Files.writeString(folder.resolve("none.bundle"), "no bundle");

    for (String command : new String[] {"get --from", "verify"}) {
      String[] words = (command + " " + none).split(" ");
      assertThat(b(words).status()).isEqualTo(3);
      assertThat(b(words).err()).contains("not a bundle").doesNotContain("varve check");
    }
  }
}
