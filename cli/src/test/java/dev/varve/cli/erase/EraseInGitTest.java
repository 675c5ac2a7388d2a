// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import static dev.varve.cli.Call.varve;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.store.DemoStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Erasures of content that snapshots in repositories of git have.
final class EraseInGitTest {

  /// In no other repository: an erasure looks in the repository of the current folder too.
  private static final String SECRET = "AKIA" + UUID.randomUUID();

  @TempDir Path folder;
  private Path store;
  private Path repo;

  @BeforeEach
  void make() throws IOException {
    store = DemoStore.in(folder);
    repo = Files.createDirectory(folder.resolve("shop"));
    git("init", "-q", "-b", "main");
    Files.writeString(repo.resolve("a"), "1");
    git("add", "a");
    git("-c", "user.name=u", "-c", "user.email=u@localhost", "commit", "-qm", "x");
  }

  private String git(String... args) {
    List<String> words = new ArrayList<>(List.of("git"));
    words.addAll(List.of(args));
    try {
      ProcessBuilder builder = new ProcessBuilder(words).directory(repo.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return output.strip();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void capture(String name, String text) throws IOException {
    Files.writeString(repo.resolve(name), text);
    Call.Result taken = varve(store, "rewind", "capture", "-C", repo.toString());
    assertThat(taken.status()).as(taken.err()).isZero();
  }

  private void append(String text) {
    assertThat(new Call().input(text).on(store, "append", "1").status()).isZero();
  }

  private Path receipt(Call.Result erased) {
    assertThat(erased.status()).as(erased.out() + erased.err()).isZero();
    String line =
        erased.lines().stream().filter(each -> each.startsWith("receipt: ")).findFirst().orElse("");
    return Path.of(line.substring("receipt: ".length()));
  }

  private boolean hasObject(String id) {
    return git("cat-file", "--batch-all-objects", "--batch-check").contains(id);
  }

  @Test
  void aPlanNamesTheSnapshotsAndAnErasureLeavesThemUnlessToldOtherwise() throws IOException {
    append("my key is " + SECRET);
    capture(".env", "key=" + SECRET);
    String blob = git("hash-object", ".env");

    Call.Result dry =
        varve(
            store,
            "erase",
            "--secret",
            SECRET,
            "--dry-run",
            "--prune-git",
            "--repository",
            "" + repo);
    Call.Result json =
        varve(store, "erase", "--secret", SECRET, "--dry-run", "--json", "--repository", "" + repo);
    Call.Result erased =
        varve(store, "erase", "--secret", SECRET, "--yes", "--repository", repo.toString());

    assertThat(dry.out()).contains("snapshots in git: 1 of " + repo + "\n  .env\n");
    assertThat(json.out())
        .contains("\"git\":[{\"repository\":\"" + repo + "\",\"snapshots\":1,")
        .contains("\"paths\":[{\"path\":\".env\"}],\"own\":[]");
    assertThat(erased.out()).contains("snapshots in git: 1 of " + repo);
    assertThat(erased.err()).contains("'--prune-git' takes these snapshots out of git.");
    assertThat(hasObject(blob)).isTrue();
  }

  @Test
  void aPruneIsInTheReceiptAndTheCheckFindsWhatCameBack() throws IOException {
    append("my key is " + SECRET);
    capture(".env", "key=" + SECRET);
    String blob = git("hash-object", ".env");
    capture(".env", "key=none");

    Call.Result erased =
        varve(
            store, "erase", "--secret", SECRET, "--yes", "--prune-git", "--repository", "" + repo);

    Path receipt = receipt(erased);
    assertThat(erased.out()).contains("pruned: 1 snapshot of " + repo + ", ");
    assertThat(erased.err()).doesNotContain("--prune-git");
    assertThat(hasObject(blob)).isFalse();
    assertThat(varve(store, "rewind", "list", "-C", repo.toString()).lines()).hasSize(2);
    assertThat(Files.readString(receipt))
        .endsWith("}\n")
        .contains("\"git_pruned\":[{\"repository\":\"" + repo + "\",\"snapshots\":1,", blob);
    assertThat(varve(store, "check", "--erased", receipt.toString()).status()).isZero();
    assertThat(varve(store, "erase", "--receipts").out()).contains("1 blob");

    capture(".env", "key=" + SECRET);
    Call.Result back = varve(store, "check", "--erased", receipt.toString());
    assertThat(back.status()).isEqualTo(ExitCodes.DAMAGED);
    assertThat(back.out()).contains(repo + ": erased git object " + blob + " is there");
    Files.move(repo, folder.resolve("moved"));
    Call.Result gone = varve(store, "check", "--erased", receipt.toString());
    assertThat(gone.status()).isZero();
    assertThat(gone.err()).contains("not checked: ", repo.toString());
  }

  /// The store is damaged between the question and the erasure.
  @Test
  void whatIsGoneFromGitIsSaidThoughTheStoreIsNotErased() throws IOException {
    append("my key is " + SECRET);
    capture(".env", "key=" + SECRET);
    String blob = git("hash-object", ".env");
    InputStream answer =
        new InputStream() {
          private final InputStream yes = new ByteArrayInputStream("y\n".getBytes(UTF_8));

          @Override
          public int read() throws IOException {
            Path pack = store.resolve("blobs.pack");
            try (FileChannel file = FileChannel.open(pack, StandardOpenOption.WRITE)) {
              for (long at = 40; at < file.size(); at += 64) {
                file.write(ByteBuffer.wrap(new byte[] {1}), at);
              }
            }
            return yes.read();
          }
        };

    Call.Result failed =
        new Call()
            .atTerminal(80)
            .input(answer)
            .on(store, "erase", "--secret", SECRET, "--prune-git", "--repository", "" + repo);

    assertThat(failed.status()).as(failed.out() + failed.err()).isEqualTo(ExitCodes.DAMAGED);
    assertThat(failed.err())
        .contains("1 snapshot already taken out of git; the same command erases the rest.");
    assertThat(hasObject(blob)).isFalse();
  }

  /// The store has nothing of it, and the snapshots have.
  @Test
  void snapshotsGoAlsoIfTheStoreHasNothing() throws IOException {
    capture(".env", "key=" + SECRET);
    String blob = git("hash-object", ".env");

    Call.Result pruned =
        varve(
            store, "erase", "--secret", SECRET, "--yes", "--prune-git", "--repository", "" + repo);
    Call.Result again =
        varve(
            store, "erase", "--secret", SECRET, "--yes", "--prune-git", "--repository", "" + repo);

    assertThat(pruned.status()).as(pruned.err()).isZero();
    assertThat(pruned.out()).contains("erased: 0 blobs", "pruned: 1 snapshot of " + repo);
    assertThat(hasObject(blob)).isFalse();
    assertThat(again.out()).startsWith("would go: 0 blobs").doesNotContain("shop");
  }

  /// Objects are read a piece at a time.
  @Test
  void aSecretIsFoundWhereverInALargeFileItStands() throws IOException {
    for (int before = (1 << 16) - 60; before < (1 << 16) + 8; before += 7) {
      Files.writeString(
          repo.resolve("f" + before), "x".repeat(before) + SECRET + "y".repeat(100_000));
    }
    capture("last", "x");

    Call.Result dry =
        varve(store, "erase", "--secret", SECRET, "--dry-run", "--repository", repo.toString());

    assertThat(dry.lines()).filteredOn(line -> line.startsWith("  f6")).hasSize(10);
  }

  @Test
  void whatTheUserCommittedIsNamedAndStays() throws IOException {
    Files.writeString(repo.resolve(".env"), SECRET);
    git("add", ".env");
    git("-c", "user.name=u", "-c", "user.email=u@localhost", "commit", "-qm", "oops");
    capture("b", "2");
    append("my key is " + SECRET);

    Call.Result erased =
        varve(
            store, "erase", "--secret", SECRET, "--yes", "--prune-git", "--repository", "" + repo);

    receipt(erased);
    assertThat(erased.out()).contains("  .env stays in your commit ", " of refs/heads/main\n");
    assertThat(hasObject(git("rev-parse", "HEAD:.env"))).isTrue();
  }

  /// The file is the same in the store and in the repository.
  @Test
  void aBlobIsFoundByItsHashAndNoCaptureBringsItIntoTheStore() throws IOException {
    String key = "the private key " + SECRET;
    capture("key.pem", key);
    String object = git("hash-object", "key.pem");
    Call.Result put = new Call().input(key).on(store, "put", "-");
    assertThat(put.status()).as(put.err()).isZero();
    String hash = put.out().strip();

    Call.Result erased =
        varve(store, "erase", "--blob", hash, "--yes", "--prune-git", "--repository", "" + repo);

    receipt(erased);
    assertThat(erased.out()).contains("pruned: 1 snapshot");
    assertThat(hasObject(object)).isFalse();
    Call.Result captured = varve(store, "rewind", "capture", "--native", "-C", repo.toString());
    assertThat(captured.status()).as(captured.out()).isNotZero();
    assertThat(captured.err()).contains("erased");
  }

  /// Contexts say where their agents worked, and sessions of Pi name snapshots.
  @Test
  void theSnapshotsOfASessionGoWithItsContextUnlessAnotherNamesThemToo() throws IOException {
    capture("b", "before");
    capture("b", "of one");
    String one = snapshot();
    capture("b", "of both");
    String both = snapshot();
    capture("b", "of none");
    Path sessions = Files.createDirectory(folder.resolve("sessions"));
    session(sessions.resolve("a.jsonl"), "first", one, both);
    session(sessions.resolve("b.jsonl"), "second", both);
    assertThat(varve(store, "import", "pi", sessions.toString()).status()).isZero();
    String context =
        varve(store, "contexts", "--json", "--title", "first")
            .out()
            .replaceFirst("(?s).*?\"(?:context_)?id\":\"?([0-9]+).*", "$1");

    Call.Result dry = varve(store, "erase", "--context", context, "--dry-run");
    Call.Result erased = varve(store, "erase", "--context", context, "--yes", "--prune-git");

    assertThat(dry.out()).as(context).contains("snapshots in git: 1 of " + repo);
    receipt(erased);
    assertThat(hasObject(one)).isFalse();
    assertThat(hasObject(both)).isTrue();
  }

  private String snapshot() {
    return git("rev-parse", "refs/pi-rewind/store^2");
  }

  private void session(Path file, String title, String... snapshots) throws IOException {
    String names = "\"" + String.join("\",\"", snapshots) + "\"";
    Files.writeString(
        file,
        String.join(
            "\n",
            "{\"type\":\"session\",\"version\":3,\"id\":\""
                + title
                + "\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\""
                + repo
                + "\"}",
            "{\"type\":\"message\",\"id\":\"a0000001\",\"parentId\":null,\"timestamp\":\"2026-01-01T00:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\""
                + title
                + "\"}}",
            "{\"type\":\"custom\",\"id\":\"a0000002\",\"parentId\":\"a0000001\",\"timestamp\":\"2026-01-01T00:00:02.000Z\",\"customType\":\"rewind-turn\",\"data\":{\"v\":2,\"snapshots\":["
                + names
                + "],\"bindings\":[[\"a0000001\",0]]}}",
            ""));
  }

  @Test
  void repositoriesThatAreGoneAreNamedAndTheErasureGoesOn() throws IOException {
    capture(".env", SECRET);
    Path sessions = Files.createDirectory(folder.resolve("sessions"));
    session(sessions.resolve("a.jsonl"), "my key is " + SECRET);
    assertThat(varve(store, "import", "pi", sessions.toString()).status()).isZero();
    Files.move(repo, folder.resolve("moved"));

    Call.Result erased = varve(store, "erase", "--secret", SECRET, "--yes", "--prune-git");
    Call.Result named =
        varve(store, "erase", "--secret", SECRET, "--yes", "--repository", "" + repo);

    receipt(erased);
    assertThat(erased.out()).contains("snapshots not searched: " + repo + ": the folder is gone\n");
    assertThat(named.status()).isEqualTo(ExitCodes.NOT_FOUND);
  }
}
