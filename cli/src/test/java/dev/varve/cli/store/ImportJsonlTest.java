// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.cli.Call;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImportJsonlTest {

  private static final String LINES = "{\"a\":1}\n\n{\"b\":\"é\"}\r\nno JSON\n{\"a\":1}";

  @TempDir Path folder;
  private Path store;
  private Path chat;

  @BeforeEach
  void writeChat() throws IOException {
    store = folder.resolve("store");
    chat = Files.writeString(folder.resolve("chat.jsonl"), LINES);
  }

  private Call.Result load(String... more) {
    String[] words = new String[3 + more.length];
    System.arraycopy(new String[] {"import", "jsonl", chat.toString()}, 0, words, 0, 3);
    System.arraycopy(more, 0, words, 3, more.length);
    Call.Result result = Call.varve(store, words);
    assertThat(result.status()).as(result.err()).isZero();
    return result;
  }

  private List<Turn> turns(int context) {
    try (LocalStore open = LocalStore.open(store, StoreOptions.DEFAULTS)) {
      return open.turns(new ContextId(context)).toList();
    }
  }

  private static List<String> texts(List<Turn> turns) {
    return turns.stream()
        .map(Turn::payload)
        .map(Objects::requireNonNull)
        .map(Payload::text)
        .toList();
  }

  @Test
  void eachLineBecomesATurnByteForByteAlsoWhereLinesRepeat() {
    assertThat(load("--type", "chat.Message@2").out())
        .isEqualTo(chat + ": context 1, 4 new turns, 0 turns there already\n");

    List<Turn> turns = turns(1);
    assertThat(texts(turns))
        .containsExactly("{\"a\":1}", "{\"b\":\"é\"}\r", "no JSON", "{\"a\":1}");
    assertThat(turns).allMatch(turn -> turn.type().toString().equals("chat.Message@2"));
    assertThat(turns.stream().map(turn -> turn.encoding().toString()))
        .containsExactly("json", "json", "raw", "json");
    assertThat(Call.varve(store, "contexts").out()).contains("chat.jsonl");
  }

  @Test
  void theQuietGetNoLineAndProgramsGetTheirs() {
    assertThat(load("--quiet").out()).isEmpty();
    assertThat(load("--quiet", "--json").out()).contains("\"context_id\":\"1\"");
    assertThat(texts(turns(1))).hasSize(4);
  }

  @Test
  void aSecondImportAddsOnlyWhatIsNew() throws IOException {
    load();
    assertThat(load("--json").out())
        .contains("\"context_id\":\"1\"", "\"turns_new\":0", "\"turns_shared\":4");

    Files.writeString(chat, LINES + "\nmore");
    assertThat(load().out()).endsWith(": context 1, 1 new turn, 4 turns there already\n");

    assertThat(texts(turns(1))).hasSize(5).endsWith("more");
  }

  @Test
  void aFileThatGoesOnOtherwiseBecomesAContextWithTheSameBeginning() throws IOException {
    load();
    Files.writeString(chat, "{\"a\":1}\nanother way\n");

    assertThat(load("--title", "Another way").out())
        .endsWith(": context 2, 1 new turn, 1 turn there already\n");

    assertThat(texts(turns(2))).containsExactly("{\"a\":1}", "another way");
    assertThat(turns(2).getFirst().id()).isEqualTo(turns(1).getFirst().id());
    assertThat(texts(turns(1))).hasSize(4);
    assertThat(Call.varve(store, "contexts").out()).contains("Another way");
  }

  @Test
  void aFileThatBeginsAsAnotherLeavesTheContextOfTheOtherAsItIs() throws IOException {
    Files.writeString(chat, "x\n");
    load();
    Path other = Files.writeString(folder.resolve("other.jsonl"), "x\ny\n");

    assertThat(Call.varve(store, "import", "jsonl", other.toString()).out())
        .endsWith(": context 2, 1 new turn, 1 turn there already\n");

    assertThat(texts(turns(1))).containsExactly("x");
    assertThat(texts(turns(2))).containsExactly("x", "y");
    Files.writeString(chat, "x\nz\n");
    assertThat(load().out()).endsWith(": context 1, 1 new turn, 1 turn there already\n");
    Files.writeString(other, "x\ny\nmore\n");
    assertThat(Call.varve(store, "import", "jsonl", other.toString()).out())
        .endsWith(": context 2, 1 new turn, 2 turns there already\n");
  }

  @Test
  void whatCannotBeReadIsRefusedBeforeAnythingIsWritten() {
    assertThat(Call.varve(store, "import", "jsonl", chat.toString(), "absent").status())
        .isEqualTo(1);
    Call.Result root = Call.varve(store, "import", "jsonl", chat.toString(), "/");
    assertThat(root.status()).isEqualTo(2);
    assertThat(root.err()).contains("/: expected a file, found a folder");
    Call.Result twice =
        new Call().input("x\n").on(store, "import", "jsonl", chat.toString(), "-", "-");
    assertThat(twice.status()).isEqualTo(2);
    assertThat(twice.err()).contains("expected standard input once");

    assertThat(Files.exists(store)).isFalse();
  }

  @Test
  void standardInputIsAFileTooAndAnEmptyOneMakesNothing() throws IOException {
    Call.Result typed = new Call().input("one\ntwo\n").on(store, "import", "jsonl", "-");
    assertThat(typed.out()).isEqualTo("-: context 1, 2 new turns, 0 turns there already\n");

    Files.writeString(chat, "\n\n");
    assertThat(load().out()).isEqualTo(chat + ": no lines\n");
    assertThat(Call.varve(store, "import", "jsonl", "absent").status()).isEqualTo(1);
    assertThat(Call.varve(store, "contexts", "--json").lines()).hasSize(1);
  }
}
