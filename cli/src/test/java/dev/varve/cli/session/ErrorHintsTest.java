// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreException;
import dev.varve.cli.Call;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ErrorHintsTest {

  @TempDir Path folder;

  private static String hint(String what) {
    return String.valueOf(ErrorHints.of(new StoreException.Conflict(what, "one", "another")));
  }

  @Test
  void theHintOfAConflictFitsItsKind() {
    assertThat(hint("head of context 7")).contains("varve log");
    assertThat(hint("idempotency key of turn 7")).isEqualTo("Other content needs another key.");
    assertThat(hint("/tmp/file.jsonl")).isEqualTo("null");
    assertThat(hint("erase")).isEqualTo("null");
  }

  @Test
  void aWordThatIsNearlyAFormatIsASlip() throws Exception {
    Path store = folder.resolve("s");

    assertThat(Call.varve(store, "import", "pie").err())
        .endsWith("Did you mean varve import pi?\n");
    assertThat(Call.varve(store, "import", folder.resolve("pie").toString()).err())
        .doesNotContain("Did you mean");
    assertThat(Files.exists(store)).isFalse();
  }

  @Test
  void toolsOverHttpAreFoundAtTheService() {
    Call.Result refused = Call.varve(folder.resolve("s"), "mcp", "--http", "127.0.0.1:0");

    assertThat(refused.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("'varve serve'", "/mcp").doesNotContain("--help");
  }

  @Test
  void theOptionForJsonGoesBehindTheCommand() {
    Call.Result refused = Call.varve(folder.resolve("s"), "--json", "stats");

    assertThat(refused.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("Did you mean 'varve COMMAND --json'?");
  }

  /// A program looks for a sentence in one line; a person reads lines that fit.
  @Test
  void aLongMessageIsFoldedAtATerminalOnly() {
    Path store = folder.resolve("s");
    String word = "x".repeat(70);

    Call.Result folded = new Call().atTerminal(60).on(store, "append", "7", word + " " + word);
    Call.Result plain = Call.varve(store, "append", "7", word + " " + word);

    assertThat(folded.status()).isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(folded.err().lines().count()).isGreaterThan(plain.err().lines().count());
    assertThat(plain.err()).contains(word + " " + word);
  }

  @Test
  void nothingIsNoJson() {
    Path store = folder.resolve("s");
    assertThat(Call.varve(store, "new").status()).isZero();

    Call.Result refused = Call.varve(store, "append", "1", "--encoding", "json");

    assertThat(refused.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("--encoding json: expected JSON, found an empty input");
    assertThat(Call.varve(store, "append", "1").status()).isZero();
  }
}
