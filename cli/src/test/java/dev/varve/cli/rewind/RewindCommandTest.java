// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RewindCommandTest {

  @TempDir Path folder;

  @BeforeEach
  void makeARepository() throws Exception {
    assertThat(Shell.run("git", "init", "-q", folder.toString()).status()).isZero();
    Files.writeString(folder.resolve("a"), "1");
    assertThat(rewind("capture", "-m", "the beginning").out()).matches("[0-9a-f]{40}\n");
    Files.writeString(folder.resolve("a"), "2");
    Files.writeString(folder.resolve("b\u001b"), "2");
  }

  private Call.Result rewind(String... words) {
    return run(new Call(), words);
  }

  private Call.Result run(Call call, String... words) {
    List<String> all = new ArrayList<>(List.of("rewind"));
    all.addAll(List.of(words));
    all.addAll(List.of("-C", folder.toString()));
    return call.run(all.toArray(String[]::new));
  }

  private String a() throws IOException {
    return Files.readString(folder.resolve("a"));
  }

  @Test
  void aPreviewChangesNothingAndLeavesNoSnapshot() throws IOException {
    Call.Result preview = rewind("restore", "@0", "--dry-run");

    assertThat(preview.out()).contains("change  a (edited since").contains("delete  b\\u001b");
    assertThat(a()).isEqualTo("2");
    assertThat(rewind("list").lines()).hasSize(2);
    assertThat(rewind("diff", "@0").out()).contains("+2").doesNotContain("\u001b");
    assertThat(rewind("list").lines()).hasSize(2);
  }

  @Test
  void aRestoreIsAskedForAndUndone() throws IOException {
    Call no = new Call().atTerminal(80).input("n\n");
    Call yes = new Call().atTerminal(80).input("yes\n");

    assertThat(rewind("restore", "@0").status()).as("nobody is there").isEqualTo(2);
    assertThat(run(no, "restore", "@0").status()).isEqualTo(2);
    assertThat(a()).isEqualTo("2");
    assertThat(run(yes, "restore", "@0").err()).contains("Restore 2 paths?");
    assertThat(a()).isEqualTo("1");
    assertThat(rewind("undo", "--yes").out()).isEqualTo("2 paths restored\n");
    assertThat(a()).isEqualTo("2");
    assertThat(rewind("redo", "--yes").status()).isZero();
    assertThat(a()).isEqualTo("1");
    assertThat(rewind("redo", "--yes").status()).isEqualTo(1);
  }

  @Test
  void pathsAreNamedFromWhereOneIs() throws IOException {
    assertThat(rewind("restore", "@0", "a", "--yes").out()).isEqualTo("1 path restored\n");
    assertThat(folder.resolve("b\u001b")).exists();
    assertThat(rewind("restore", "@0", "nothing", "--yes").status()).isEqualTo(1);
    assertThat(rewind("restore", "@0", "../elsewhere", "--yes").status()).isEqualTo(2);
  }

  @Test
  void editsAreKeptOnRequest() throws IOException {
    Call.Result kept = rewind("restore", "@0", "--yes", "--keep-edits");

    assertThat(kept.out()).isEqualTo("0 paths restored, 2 kept as they are\n");
    assertThat(a()).isEqualTo("2");
  }

  @Test
  void programsGetALineAPath() {
    assertThat(rewind("restore", "@0", "--yes", "--json").lines())
        .containsExactly(
            "{\"path\":\"a\",\"path_escaped\":\"a\",\"action\":\"change\",\"why\":\"\","
                + "\"edited_since\":true,\"failure\":\"\"}",
            "{\"path\":\"b\\u001B\",\"path_escaped\":\"b%1B\",\"action\":\"delete\",\"why\":\"\","
                + "\"edited_since\":true,\"failure\":\"\"}");
    assertThat(rewind("list", "--json").lines()).hasSize(2);
    assertThat(rewind("show", "@1", "--json").out()).contains("\"note\":\"the beginning\"");
    assertThat(rewind("doctor", "--json").out()).contains("\"sound\":true");
  }

  @Test
  void whatIsWrongIsTold() {
    assertThat(rewind("restore", "@7", "--yes").status()).isEqualTo(1);
    assertThat(rewind("restore", "x", "--yes").status()).isEqualTo(2);
    assertThat(rewind("restore").status()).isEqualTo(2);
    assertThat(rewind("restore", "@0", "--finish").status()).isEqualTo(2);
    assertThat(rewind("restore", "--finish").status()).isEqualTo(1);
    assertThat(rewind("undo", "--yes").status()).isEqualTo(1);
    assertThat(new Call().run("rewind", "list", "-C", "/").status()).isEqualTo(2);
  }

  @Test
  void aRestoreThatBrokeOffIsToldEverywhere() throws IOException {
    assertThat(rewind("restore", "@0", "--yes").status()).isZero();
    String ids = Files.readString(folder.resolve(".git/varve-rewind/operations"));
    String from = ids.strip().split(" ")[2];
    String to = ids.strip().split(" ")[3];
    Files.writeString(
        folder.resolve(".git/varve-rewind/restore"),
        "varve-rewind restore 1\nrestore\n" + from + "\n" + to + "\na\nb%1B\nend\n");

    assertThat(rewind("restore", "@0", "--yes").err())
        .contains("broke off")
        .contains("--roll-back");
    assertThat(rewind("doctor").status()).isEqualTo(3);
    assertThat(rewind("restore", "--roll-back").out()).isEqualTo("2 paths restored\n");
    assertThat(a()).isEqualTo("2");
    assertThat(rewind("doctor").status()).isZero();
  }
}
