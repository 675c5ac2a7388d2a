// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.store.DemoStore;
import dev.varve.cli.terminal.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the command says when it cannot do what was asked, and where its words go.
final class CommandRefusalsTest {

  @TempDir Path folder;

  /// One store for the tests that change nothing in it.
  @TempDir static Path shared;

  private static Path sharedStore;

  @BeforeAll
  static void writeSharedStore() {
    sharedStore = DemoStore.in(shared);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "contexts",
        "log",
        "log 1",
        "show 1",
        "stats",
        "check",
        "fork 1",
        "check --rebuild"
      })
  void aMissingStoreIsToldWithWhatToDo(String command) {
    Call.Result result = varve(folder.resolve("none"), command.split(" "));

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("no Varve store here")
        .contains("varve demo")
        .contains("varve import");
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log 99",
        "show 99",
        "fork 99",
        "append 99",
        "cat 0000000000000000000000000000000000000000000000000000000000000000",
        "put no-such-file",
        "help nothing"
      })
  void whatIsNotThereIsStatusOne(String command) {
    Call.Result result = varve(sharedStore, command.split(" "));

    assertThat(result.status()).as(result.err()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("varve: ").doesNotContain("Exception", "\tat ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing",
        "log x",
        "log 1 2",
        "show",
        "cat abc",
        "log --foo",
        "show 1 --as-of -1",
        "log -n -1",
        "contexts -n -1",
        "log -n 1000000",
        "log -n x",
        "search x -n -1",
        "contexts -n 1000000",
        "append 1 --type @",
        "completion tcsh",
        "show 1 --raw --json",
        "show 1 --as-of 1 --as-written",
        "log --graph --json"
      })
  void aWrongCallIsStatusTwo(String command) {
    Call.Result result = varve(sharedStore, command.split(" "));

    assertThat(result.status()).as(result.err()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("varve").doesNotContain("Exception", "\tat ");
  }

  @Test
  void aTypingErrorIsAnsweredWithWhatWasMeant() {
    assertThat(varve(folder, "contxts").err()).contains("Did you mean contexts?");
    assertThat(varve(folder, "ls").err()).contains("Did you mean contexts?");
    assertThat(varve(folder, "version").err()).contains("Did you mean --version?");
    assertThat(varve(folder, "web").err()).contains("Did you mean ui?");
    assertThat(varve(folder, "grep").err()).contains("Did you mean search?");
    assertThat(varve(folder, "rm").err()).contains("Did you mean erase?");
    assertThat(varve(folder, "quux").err()).doesNotContain("Did you mean").contains("--help");
    assertThat(varve(folder, "log", "--grap").err()).contains("Did you mean --graph");
    assertThat(varve(folder, "log", "-x").err()).doesNotContain("Did you mean").contains("--help");
  }

  @Test
  void aValueThatIsNotAllowedIsNamedWithItsOption() {
    assertThat(varve(sharedStore, "completion", "tcsh").err())
        .startsWith("varve completion: SHELL: expected one of bash, zsh, fish, found 'tcsh'\n");
    assertThat(varve(sharedStore, "log", "-n", "-1").err())
        .startsWith("varve log: -n: expected 0 to 100000, found -1\n");
    for (String room : new String[] {"pi", "jp", "rewind", "token"}) {
      assertThat(varve(sharedStore, room).err())
          .isEqualTo(
              "varve: "
                  + room
                  + ": expected a command\n'varve "
                  + room
                  + " --help' lists its commands.\n");
    }
  }

  @Test
  void theDemoNeverWritesIntoTheUsersStore() {
    Path store = DemoStore.in(folder);

    assertThat(varve(store, "demo", "--store", store.toString()).status()).isEqualTo(2);
    assertThat(varve(folder.resolve("untouched"), "demo").status()).isZero();
    assertThat(folder.resolve("untouched")).doesNotExist();
  }

  @Test
  void aFolderWithOtherThingsInItIsLeftAlone() throws IOException {
    Files.writeString(folder.resolve("letter.txt"), "dear");

    Call.Result result = varve(folder, "new");

    assertThat(result.status()).isEqualTo(1);
    assertThat(folder).isDirectoryNotContaining("glob:**varve.store");
  }

  // ---- streams

  @Test
  void aReaderWhoLeavesEndsTheCommandQuietly() {
    Call.Result result = new Call().to(failing("Broken pipe")).on(sharedStore, "log", "1");

    assertThat(result.status()).isEqualTo(141);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void anErrorIsToldEvenWhereStandardOutputIsLost() {
    Call.Result result =
        new Call().to(failing("Bad file descriptor")).on(folder.resolve("none"), "log");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("no Varve store here");
  }

  @ParameterizedTest
  @ValueSource(strings = {"log 1", "--version", "--help"})
  void aFullDiskBehindStandardOutputIsTold(String command) {
    Call.Result result =
        new Call().to(failing("No space left on device")).on(sharedStore, command.split(" "));

    assertThat(result.status()).isEqualTo(74);
    assertThat(result.err()).contains("standard output: No space left on device");
  }

  private static OutputStream failing(String why) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(why);
      }
    };
  }

  @Test
  void coloursAppearOnlyAtATerminalThatWantsThem() {
    Path store = sharedStore;

    assertThat(varve(store, "log", "1").out()).doesNotContain("\u001b");
    assertThat(new Call().atTerminal(80).on(store, "log", "1").out()).contains("\u001b[");
    assertThat(new Call().atTerminal(80).with("NO_COLOR", "1").on(store, "log", "1").out())
        .doesNotContain("\u001b");
    assertThat(new Call().atTerminal(80).with("TERM", "dumb").on(store, "log", "1").out())
        .doesNotContain("\u001b");
  }

  @Test
  void quietSilencesRemarksButNotErrors() {
    Path store = folder.resolve("s");
    varve(store, "new");

    assertThat(varve(store, "log", "1").err()).contains("no turns yet");
    assertThat(varve(store, "log", "1", "--quiet").err()).isEmpty();
    assertThat(varve(store, "-q", "show", "9").err()).isEqualTo("varve: turn 9: not found\n");
  }

  @Test
  void noLineAtATerminalIsWiderThanItIs() {
    Path store = sharedStore;
    for (String command : new String[] {"log 1", "log 1 --graph", "contexts"}) {
      Call call = new Call().with("NO_COLOR", "1").atTerminal(90);
      assertThat(call.on(store, command.split(" ")).lines())
          .allMatch(line -> SafeText.columns(line) <= 90);
    }
  }

  @Test
  void aTraceIsShownOnlyOnRequest() {
    Path store = sharedStore;

    assertThat(varve(store, "show", "99").err()).doesNotContain("StoreException");
    assertThat(new Call().with("VARVE_TRACE", "1").on(store, "show", "99").err())
        .contains("StoreException$NotFound");
  }

  @Test
  void aMistakeInVarveIsOneLineAndStatusSeventy() {
    InputStream mistaken =
        new InputStream() {
          @Override
          public int read() {
            throw new IllegalStateException("as if");
          }
        };

    Call.Result result = new Call().input(mistaken).on(folder, "put");

    assertThat(result.status()).isEqualTo(70);
    assertThat(result.err().lines()).hasSize(2);
    assertThat(result.err()).contains("as if").contains("VARVE_TRACE=1");
  }

  // ---- the version

  @Test
  void theVersionIsThatOfTheBuild() throws IOException {
    String pom =
        Files.readString(
            Path.of(System.getProperty("root.dir"), "pom.xml"), StandardCharsets.UTF_8);
    String version =
        pom.replaceFirst(
            "(?s).*?<artifactId>varve</artifactId>\\s*<version>([^<]+)</version>.*", "$1");

    assertThat(new Call().run("--version").out()).isEqualTo("varve " + version + "\n");
    assertThat(new Call().run("-V").out()).isEqualTo("varve " + version + "\n");
    assertThat(new Call().run("-q", "--version").out())
        .as("by picocli")
        .isEqualTo("varve " + version + "\n");
  }
}
