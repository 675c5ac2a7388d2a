// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import static dev.varve.cli.Call.varve;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.store.DemoStore;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EraseCommandTest {

  private static final String SECRET = "AKIAIOSFODNN7EXAMPLE";

  @TempDir Path folder;
  private Path store;

  @BeforeEach
  void makeStore() {
    store = DemoStore.in(folder);
  }

  private String append(String text) {
    Call.Result appended = new Call().input(text).on(store, "append", "1", "--json");
    assertThat(appended.status()).as(appended.err()).isZero();
    return appended.out().replaceFirst("(?s).*\"payload_hash\":\"([0-9a-f]+)\".*", "$1");
  }

  private Path receipt(Call.Result erased) {
    assertThat(erased.status()).as(erased.err()).isZero();
    String line =
        erased.lines().stream().filter(each -> each.startsWith("receipt: ")).findFirst().orElse("");
    return Path.of(line.substring("receipt: ".length()));
  }

  /// Every file in the folder of the store, as text.
  private List<Path> filesWith(String text) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> content(file).contains(text))
          .toList();
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSecretIsErasedAndTheReceiptProvesIt() throws IOException {
    append("{\"text\":\"my key is " + SECRET + " and stays short\"}");
    assertThat(varve(store, "search", SECRET).out()).contains(SECRET);
    assertThat(filesWith(SECRET)).isNotEmpty();
    Call.Result dry = varve(store, "erase", "--secret", SECRET, "--dry-run");
    assertThat(filesWith(SECRET)).as("a dry run changes nothing").isNotEmpty();

    Call.Result erased =
        new Call().input(SECRET + "\n").on(store, "erase", "--secret-file", "-", "--yes");

    assertThat(dry.out()).startsWith("would go: 1 blob, ").contains("  secret\n");
    assertThat(erased.out()).startsWith("erased: 1 blob, ").contains("lose their payload: 1");
    assertThat(filesWith(SECRET)).isEmpty();
    assertThat(filesWith(SECRET.toLowerCase(java.util.Locale.ROOT))).as("the index").isEmpty();
    Call.Result proof = varve(store, "check", "--erased", receipt(erased).toString());
    assertThat(proof.status()).as(proof.out()).isZero();
    assertThat(proof.out()).contains("nothing is left of 1 erased blob");
    assertThat(varve(store, "search", SECRET).out()).doesNotContain(SECRET);
    assertThat(varve(store, "log", "1").status()).isZero();
    assertThat(varve(store, "erase", "--secret", SECRET, "--yes").out()).startsWith("would go: 0");
  }

  /// A service keeps titles in a file of its own, and may have been killed before it heard.
  @Test
  void noSecretStaysInTheRowsOfContexts() throws IOException {
    append("{\"text\":\"my key is " + SECRET + "\"}");
    Path rows = store.resolve(LocalStore.CONTEXT_ROWS);
    Files.writeString(rows, "titles with " + SECRET);
    Call.Result dry = varve(store, "erase", "--secret", SECRET, "--dry-run");
    Call.Result erased = varve(store, "erase", "--secret", SECRET, "--yes");

    assertThat(dry.out() + dry.err()).doesNotContain(LocalStore.CONTEXT_ROWS);
    assertThat(rows).doesNotExist();
    Path draft = store.resolve(".varve-00000001-00000002.part");
    Files.writeString(rows, "titles with " + SECRET);
    Files.writeString(draft, "titles with " + SECRET);
    assertThat(varve(store, "check", "--erased", receipt(erased).toString()).status()).isZero();
    assertThat(rows).doesNotExist();
    assertThat(draft).doesNotExist();
  }

  @Test
  void aBackupFromBeforeTheErasureIsFoundToHaveTheBlob() {
    String hash = append("to be erased for good");
    Path backup = folder.resolve("backup");
    assertThat(varve(store, "backup", backup.toString()).status()).isZero();

    Path receipt = receipt(varve(store, "erase", "--blob", hash, "--yes"));

    Call.Result left = varve(backup, "check", "--erased", receipt.toString());
    assertThat(left.status()).isEqualTo(ExitCodes.DAMAGED);
    assertThat(left.out()).contains("blobs.pack at byte ", "the record of erased blob " + hash);
    assertThat(varve(store, "backup", backup.toString()).status()).isEqualTo(ExitCodes.USAGE);
    assertThat(varve(store, "check", "--erased", store.resolve("lock").toString()).status())
        .isEqualTo(ExitCodes.USAGE);
  }

  /// An import reads what it kept of a session before, and that may be erased.
  @Test
  void anImportDoesNotBringErasedContentBackAndGoesOnWithTheNextFile() throws IOException {
    Path sessions = Files.createDirectory(folder.resolve("sessions"));
    session(sessions.resolve("a.jsonl"), "my key is " + SECRET);
    assertThat(varve(store, "import", "pi", sessions.toString(), "--publish").status()).isZero();
    assertThat(varve(store, "erase", "--secret", SECRET, "--yes").status()).isZero();
    session(sessions.resolve("b.jsonl"), "what is next?");

    Call.Result again = varve(store, "import", "pi", sessions.toString(), "--publish");

    assertThat(again.status()).isNotZero();
    assertThat(again.err()).contains("a.jsonl: erased blob ");
    assertThat(again.out()).contains("FAILED").contains("1 new context, 1 failed");
    assertThat(varve(store, "contexts").out())
        .contains("(its description was erased)", "what is next?")
        .doesNotContain("damaged");
    assertThat(filesWith(SECRET)).isEmpty();
    assertThat(varve(store, "check").out()).contains("no problems");
  }

  /// What was published is a blob that no turn has.
  @Test
  void thePublishedCopyOfAnErasedContextIsNamed() throws IOException {
    Path sessions = Files.createDirectory(folder.resolve("sessions"));
    session(sessions.resolve("a.jsonl"), "my key is " + SECRET);
    assertThat(varve(store, "import", "pi", sessions.toString(), "--publish").status()).isZero();

    Call.Result dry = eraseOld("--dry-run");
    Call.Result json = eraseOld("--dry-run", "--json");
    Call.Result erased = eraseOld("--yes");

    assertThat(erased.status()).as(erased.err()).isZero();
    List<String> lines = erased.lines();
    int at = lines.indexOf("stays readable: 1 published copy of sessions");
    assertThat(at).as(erased.out()).isPositive();
    String hash = lines.get(at + 1);
    assertThat(lines.get(at + 2)).isEqualTo("  of a.jsonl");
    assertThat(varve(store, "cat", hash).out()).contains(SECRET);
    assertThat(dry.out()).contains("stays readable: 1 published copy");
    assertThat(json.out())
        .contains("\"published\":[{\"hash\":\"" + hash + "\",\"file\":\"a.jsonl\"}]");

    assertThat(varve(store, "erase", "--blob", hash, "--yes").status()).isZero();
    assertThat(filesWith(SECRET)).isEmpty();
  }

  private Call.Result eraseOld(String... how) {
    List<String> arguments =
        new ArrayList<>(List.of("erase", "--project", "shop", "--before", "2100-01-01"));
    arguments.addAll(List.of(how));
    return varve(store, arguments.toArray(String[]::new));
  }

  @Test
  void aFileBesideTheStoreThatHasTheSecretIsNamed() throws IOException {
    append("my key is " + SECRET);
    Files.writeString(store.resolve("search-notes.txt"), SECRET);
    assertThat(varve(store, "search", "key").status()).isZero();

    Call.Result erased = varve(store, "erase", "--secret", SECRET, "--yes");

    assertThat(erased.out()).contains("not reached, has the secret: search-notes.txt\n");
    assertThat(filesWith(SECRET)).containsExactly(store.resolve("search-notes.txt"));
  }

  private static void session(Path file, String prompt) throws IOException {
    Files.writeString(
        file,
        """
        {"type":"session","version":3,"id":"%1$s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/src/shop"}
        {"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z",\
        "message":{"role":"user","content":"%2$s","timestamp":1767225601000}}
        """
            .formatted(file.getFileName(), prompt));
  }

  @Test
  void erasedContentComesBackOnPurposeOnly() {
    String hash = append("continue");
    assertThat(varve(store, "erase", "--blob", hash, "--yes").status()).isZero();

    Call.Result refused = new Call().input("continue").on(store, "put");
    Call.Result readmitted = new Call().input("continue").on(store, "readmit");

    assertThat(refused.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("erased on ", "varve readmit");
    assertThat(readmitted.out()).isEqualTo(hash + "\n");
    assertThat(new Call().input("continue").on(store, "put").status()).isZero();
    assertThat(new Call().input("never erased").on(store, "readmit").status())
        .isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(varve(store, "check").status()).isZero();
  }

  @Test
  void nothingIsErasedWithoutAnAnswer() {
    String hash = append("kept");

    Call.Result unasked = varve(store, "erase", "--blob", hash);
    Call.Result refused = new Call().atTerminal(80).input("n\n").on(store, "erase", "--blob", hash);

    assertThat(unasked.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(unasked.err()).contains("Erase 1 blob for good?", "--yes");
    assertThat(refused.err()).contains("nothing was erased");
    assertThat(varve(store, "cat", hash).out()).isEqualTo("kept");
    assertThat(varve(store, "erase", "--project", "shop").status()).isEqualTo(ExitCodes.USAGE);
    assertThat(varve(store, "erase").status()).isEqualTo(ExitCodes.USAGE);
    assertThat(varve(store, "erase", "--context", "99").status()).isEqualTo(ExitCodes.NOT_FOUND);
  }

  @Test
  void aHoldIsInTheWayOfEveryErasureUntilItIsReleased() {
    String hash = append("to be kept, " + SECRET);
    Call.Result kept =
        varve(store, "keep", "--context", "1", "--until", "2199-01-01", "--reason", "audit");
    assertThat(kept.out()).startsWith("context 1, held until 2199-01-01T").endsWith(" (audit)\n");
    assertThat(varve(store, "keep", "--list").out()).isEqualTo(kept.out());

    for (List<String> choice :
        List.of(List.of("--context", "1"), List.of("--blob", hash), List.of("--secret", SECRET))) {
      for (String way : List.of("--yes", "--dry-run")) {
        Call.Result refused = new Call().on(store, "erase", choice.get(0), choice.get(1), way);
        assertThat(refused.status()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).contains("context 1, held until ", "(audit)", "--leave-held");
      }
      Call.Result left =
          new Call().on(store, "erase", choice.get(0), choice.get(1), "--yes", "--leave-held");
      assertThat(left.out()).startsWith("would go: 0 blobs");
    }
    assertThat(varve(store, "cat", hash).status()).isZero();
    assertThat(varve(store, "keep", "--context", "1", "--release").out()).endsWith(": released\n");
    assertThat(varve(store, "keep", "--context", "1", "--release").status())
        .isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(varve(store, "erase", "--blob", hash, "--yes").out()).startsWith("erased: 1 blob");
  }

  @Test
  void holdsAreListedForProgramsAndWrongCallsAreRefused() {
    assertThat(varve(store, "keep", "--context", "1").out()).isEqualTo("context 1, held\n");
    assertThat(varve(store, "keep", "--list", "--json").out())
        .startsWith("{\"context_id\":\"1\",\"since\":\"")
        .endsWith("\"until\":null,\"reason\":\"\",\"lasts\":true}\n");
    for (List<String> wrong :
        List.of(
            List.of("keep"),
            List.of("keep", "--list", "--context", "1"),
            List.of("keep", "--list", "--release"),
            List.of("keep", "--context", "1", "--until", "2001-01-01"),
            List.of("keep", "--context", "1", "--release", "--reason", "none"))) {
      assertThat(new Call().on(store, wrong.toArray(String[]::new)).status())
          .as("%s", wrong)
          .isEqualTo(ExitCodes.USAGE);
    }
    assertThat(varve(store, "keep", "--context", "99").status()).isEqualTo(ExitCodes.NOT_FOUND);
  }

  @Test
  void aRuleErasesEveryCredentialThatItFindsWhereverItStands() throws IOException {
    String key = "AKIA" + "YVP4CIPPERUVIFXG";
    append("{\"aws_key\":\"" + key + "\"}");
    append("{\"text\":\"{\\\"nested\\\":\\\"" + key + "\\\"}\"}");
    String unread = Base64.getEncoder().encodeToString(("no rule sees " + key).getBytes(UTF_8));
    append("{\"data\":\"" + unread + "\"}");
    String kept = append("{\"text\":\"no credential\"}");

    Call.Result dry = varve(store, "erase", "--rule", "aws-access-token", "--dry-run");
    Call.Result erased = varve(store, "erase", "--rule", "aws-access-token", "--yes");

    assertThat(dry.out()).startsWith("would go: 3 blobs, ").doesNotContain(key);
    assertThat(dry.err()).contains("found by rule: 1 secret");
    assertThat(erased.out()).startsWith("erased: 3 blobs, ");
    assertThat(filesWith(key)).isEmpty();
    assertThat(filesWith(unread)).isEmpty();
    assertThat(varve(store, "cat", kept).status()).isZero();
    assertThat(varve(store, "erase", "--rule", "aws-access-token", "--yes").out())
        .startsWith("would go: 0 blobs");
    assertThat(varve(store, "erase", "--rule", "no-such-rule").status())
        .isEqualTo(ExitCodes.NOT_FOUND);
  }

  @Test
  void gcFreesWhatPatchesReplaced() {
    String hidden = append("{\"text\":\"to be patched\"}");
    String turn = varve(store, "log", "1", "--json").lines().getFirst();
    String id = turn.replaceFirst("(?s).*\"turn_id\":\"([0-9]+)\".*", "$1");
    assertThat(new Call().input("{\"text\":\"patched\"}").on(store, "patch", id).status()).isZero();

    Call.Result dry = varve(store, "gc", "--dry-run");
    Call.Result unasked = varve(store, "gc");
    Call.Result freed = varve(store, "gc", "--yes");

    assertThat(dry.out()).startsWith("would go: 2 blobs, ").contains(hidden + "  collected\n");
    assertThat(unasked.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(freed.out()).startsWith("freed: 2 blobs, ").contains("receipt: ");
    assertThat(varve(store, "cat", hidden).status()).isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(varve(store, "show", id).out()).contains("patched");
    assertThat(varve(store, "gc", "--yes").out()).startsWith("would go: 0 blobs, 0 B");
    assertThat(varve(store, "check").out()).contains("no problems");
  }

  @Test
  void anErasureOfNothingIsAnsweredWithTheChoices() {
    Call.Result refused = varve(store, "erase", "--yes");

    assertThat(refused.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("'--context'", "'--secret'", "'--dry-run'");
  }

  @Test
  void theReceiptsOfAllErasuresAreListed() {
    assertThat(varve(store, "erase", "--receipts").out()).isEmpty();
    Path first = receipt(varve(store, "erase", "--blob", append("one to go"), "--yes"));
    Path second = receipt(varve(store, "erase", "--blob", append("two to go"), "--yes"));

    Call.Result listed = varve(store, "erase", "--receipts");
    Call.Result json = varve(store, "erase", "--receipts", "--json");

    assertThat(listed.lines()).hasSize(4);
    assertThat(listed.lines().get(0)).contains("  1 blob, ");
    assertThat(listed.lines().get(1)).isEqualTo("  " + first);
    assertThat(listed.lines().get(3)).isEqualTo("  " + second);
    assertThat(json.out()).contains("\"run\":2,\"erased_at\":\"", "\"blobs\":1,");
    assertThat(first).isRegularFile();
  }

  @Test
  void programsReadThePlanAndTheOutcome() {
    String hash = append("{\"read\":\"by programs\"}");

    String plan = varve(store, "erase", "--blob", hash, "--dry-run", "--json").out();
    String done = varve(store, "erase", "--blob", hash, "--yes", "--json").out();

    assertThat(plan)
        .startsWith("{\"erased\":false,\"blobs\":1,")
        .contains("{\"hash\":\"" + hash + "\"", "\"cause\":\"blob\"", "\"staying\":[]");
    assertThat(done).startsWith("{\"erased\":true,\"run\":1,").contains("\"receipt\":\"");
  }
}
