// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RetentionCommandsTest {

  @TempDir Path folder;
  private Path store;

  @BeforeEach
  void makeStore() {
    store = folder.resolve("s");
    restore(1, "old words of the shop", "/projects/ann/shop", 2500);
    restore(2, "old words of the bank", "/projects/ann/bank", 2500);
    restore(3, "new words of the shop", "/projects/ann/shop", 3);
    restore(4, "old words that are held", "/projects/ann/shop", 2500);
    assertThat(varve("keep", "--context", "4", "--reason", "audit").status()).isZero();
  }

  private void restore(long number, String text, String project, int days) {
    Instant at = Instant.now().minus(Duration.ofDays(days));
    try (LocalStore open = LocalStore.open(store, StoreOptions.DEFAULTS)) {
      BlobHash about = open.put(Payload.utf8("{\"cwd\":\"" + project + "\"}"));
      ContextId context = new ContextId(number);
      TurnId turn = new TurnId(number);
      open.restoreTurn(
          turn,
          context,
          NewTurn.of(Payload.utf8(text), new DeclaredType("note", 1), Encoding.JSON)
              .withParent(TurnId.NONE),
          at);
      open.restoreContext(context, turn, TurnId.NONE, at, at, about);
    }
  }

  private Call.Result varve(String... args) {
    return new Call().on(store, args);
  }

  private boolean has(String text) {
    try (LocalStore open = LocalStore.open(store, StoreOptions.DEFAULTS)) {
      return open.has(Blake3.hash(Payload.utf8(text)));
    }
  }

  @Test
  void aRuleErasesOldConversationsOfItsProjectOnceItIsApplied() {
    assertThat(varve("retention", "set", "--older-than", "400d", "--project", "shop").out())
        .isEqualTo("project shop: older than 400d\n");
    Call.Result dry = varve("retention", "apply", "--dry-run");
    assertThat(dry.out()).as(dry.err()).startsWith("would go: 1 blob");
    assertThat(has("old words of the shop")).isTrue();
    assertThat(varve("retention", "apply").status()).isEqualTo(ExitCodes.USAGE);

    Call.Result applied = varve("retention", "apply", "--yes");

    assertThat(applied.out()).as(applied.err()).startsWith("erased: ").contains("receipt: ");
    assertThat(Files.exists(store.resolve("erasure-1.json"))).isTrue();
    assertThat(has("old words of the shop")).isFalse();
    assertThat(has("old words of the bank")).isTrue();
    assertThat(has("new words of the shop")).isTrue();
    assertThat(has("old words that are held")).isTrue();
    assertThat(varve("retention", "apply", "--yes").out()).startsWith("would go: 0 blobs");
    assertThat(varve("check").out()).contains("no problems");
  }

  @Test
  void rulesAreReplacedListedAndRemoved() {
    varve("retention", "set", "--older-than", "400d", "--project", "shop");
    varve("retention", "set", "--older-than", "12w", "--project", "shop");
    varve("retention", "set", "--older-than", "90000h");

    assertThat(varve("retention", "list").out())
        .isEqualTo("project shop: older than 12w\nall projects: older than 90000h\n");
    assertThat(varve("retention", "list", "--json").out())
        .startsWith("{\"older_than\":\"12w\",\"project\":\"shop\"}");
    assertThat(varve("retention", "remove", "--project", "shop").status()).isZero();
    assertThat(varve("retention", "remove", "--project", "shop").status())
        .isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(varve("retention", "list").out()).isEqualTo("all projects: older than 90000h\n");
    assertThat(varve("retention", "set", "--older-than", "soon").status())
        .isEqualTo(ExitCodes.USAGE);
    assertThat(varve("retention").status()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aPathIsKeptWholeBecauseRulesAreAppliedFromAnyFolder() {
    String whole = Path.of("src").toAbsolutePath().toString();

    assertThat(varve("retention", "set", "--older-than", "9d", "--project", "./src").out())
        .isEqualTo("project " + whole + ": older than 9d\n");
    assertThat(varve("retention", "set", "--older-than", "9d", "--project", ".").out())
        .isEqualTo("project " + Path.of("").toAbsolutePath() + ": older than 9d\n");
    assertThat(varve("retention", "remove", "--project", "src/../src").status()).isZero();
    assertThat(varve("retention", "list").lines()).hasSize(1);
  }

  @Test
  void anEmptyProjectIsNotAllProjects() {
    Call.Result set = varve("retention", "set", "--older-than", "9d", "--project", "");

    assertThat(set.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(set.err()).contains("--project: expected a project, found ''");
    varve("retention", "set", "--older-than", "9d");
    assertThat(varve("retention", "remove", "--project", " ").status()).isEqualTo(ExitCodes.USAGE);
    assertThat(varve("retention", "list").lines()).hasSize(1);
  }

  @Test
  void aRefusalNamesTheArgumentThatIsWrong() {
    assertThat(varve("retention", "set", "--older-than", "soon").err())
        .contains("--older-than: expected an age, found 'soon'");
    assertThat(varve("retention", "set", "--older-than", "9d", "--project", "a\tb").err())
        .contains("--project: expected a project, found 'a")
        .doesNotContain("9d'");
  }

  @Test
  void rulesThatCannotBeReadAreNoRulesThatAreAbsent() throws Exception {
    Path rules = store.resolve("retention.rules");
    assertThat(varve("retention", "apply", "--yes").err())
        .contains("no rules: 'varve retention set' makes one");
    Files.createSymbolicLink(rules, rules);
    assertThat(varve("retention", "list").status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    Files.delete(rules);
    assertThat(new ProcessBuilder("mkfifo", rules.toString()).start().waitFor()).isZero();
    assertThat(varve("retention", "apply", "--yes").status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    Files.delete(rules);
    Files.writeString(rules, "9d\t./shop\n");
    Call.Result damaged = varve("retention", "apply", "--yes");
    assertThat(damaged.status()).isEqualTo(ExitCodes.DAMAGED);
    assertThat(damaged.err())
        .contains("retention.rules: line 1: expected an age and a project")
        .doesNotContain("varve check");
    assertThat(has("old words of the shop")).isTrue();
  }

  @Test
  void theRulesAreForTheirOwnerOnly() throws Exception {
    varve("retention", "set", "--older-than", "9d");

    for (String file : List.of("retention.rules", "retention.rules.lock")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store.resolve(file))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void withoutRulesNothingGoesAndTheCommandsSaySo() {
    assertThat(varve("retention", "list").err()).contains("no rules");
    Call.Result apply = varve("retention", "apply", "--yes");
    assertThat(apply.status()).isZero();
    assertThat(apply.err()).contains("no rules").doesNotContain("Backups");
  }

  @Test
  void withoutAStoreThereAreNoRules() {
    Path absent = folder.resolve("absent");

    for (String what : List.of("list", "remove", "apply")) {
      Call.Result refused = new Call().on(absent, "retention", what);
      assertThat(refused.status()).isEqualTo(ExitCodes.NOT_FOUND);
      assertThat(refused.err()).contains("no Varve store here");
    }
    assertThat(absent).doesNotExist();
  }

  @Test
  void rulesThatAreSetAtTheSameTimeAreAllKept() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      RetentionRules.Rule rule = new RetentionRules.Rule("9d", "project" + i);
      threads.add(Thread.ofPlatform().start(() -> new RetentionRules(store).set(rule)));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(new RetentionRules(store).all()).hasSize(8);
  }
}
