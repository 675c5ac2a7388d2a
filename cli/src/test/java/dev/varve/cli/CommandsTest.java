// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CommandsTest {

  @TempDir Path folder;

  /// One store for the tests that change nothing in it.
  @TempDir static Path shared;

  private static Path sharedStore;

  @BeforeAll
  static void writeSharedStore() {
    sharedStore = DemoStore.in(shared);
  }

  // ---- writing and reading back

  @Test
  void whatIsAppendedIsShownByteForByte() {
    Path store = folder.resolve("s");
    byte[] bytes = {0, 1, (byte) 0xff, 10, 27};

    assertThat(varve(store, "new").out()).isEqualTo("1\n");
    assertThat(new Call().input(bytes).on(store, "append", "1").out()).isEqualTo("1\n");

    assertThat(varve(store, "show", "1", "--raw").bytes()).isEqualTo(bytes);
    assertThat(varve(store, "show", "1").out()).contains("encoding   raw");
  }

  @Test
  void aFileIsAppendedWithWhatIsDeclaredOfIt() throws IOException {
    Path store = folder.resolve("s");
    Path file = Files.writeString(folder.resolve("m.json"), "{\"text\":\"hi\"}");
    varve(store, "new", "--title", "A title");

    Call.Result turn =
        varve(store, "append", "1", file.toString(), "--type", "chat.Message@3", "--json");

    assertThat(turn.out())
        .contains("\"type_id\":\"chat.Message\",\"type_version\":3,\"encoding\":\"json\"");
    assertThat(varve(store, "contexts").out()).contains("A title");
  }

  @Test
  void aBlobComesBackByItsHash() {
    Path store = folder.resolve("s");
    String hash = new Call().input("abc").on(store, "put").out().strip();

    assertThat(hash).isEqualTo("6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
    assertThat(varve(store, "cat", hash).out()).isEqualTo("abc");
  }

  @Test
  void aForkGoesItsOwnWay() {
    Path store = DemoStore.in(folder);

    assertThat(varve(store, "fork", "2").out()).isEqualTo("4\n");
    new Call().input("mine").on(store, "append", "4");

    assertThat(varve(store, "log", "4").lines()).hasSize(4).element(1).asString().endsWith("mine");
    assertThat(varve(store, "log", "1").out()).doesNotContain("mine");
  }

  @Test
  void aPatchIsSeenByLaterReadersOnly() {
    Path store = DemoStore.in(folder);

    assertThat(new Call().input("new words").on(store, "patch", "2").out()).isEqualTo("2\n");

    assertThat(varve(store, "show", "2", "--raw").out()).isEqualTo("new words");
    assertThat(varve(store, "show", "2", "--raw", "--as-of", "1").out())
        .contains("Three of the tests");
    assertThat(varve(store, "show", "2", "--raw", "--as-written").out())
        .contains("Three of the tests");
  }

  @Test
  void theSameKeyAppendsOnce() {
    Path store = folder.resolve("s");
    varve(store, "new");

    String first = new Call().input("x").on(store, "append", "1", "--key", "k").out();
    String again = new Call().input("x").on(store, "append", "1", "--key", "k").out();
    Call.Result other = new Call().input("y").on(store, "append", "1", "--key", "k");

    assertThat(again).isEqualTo(first);
    assertThat(other.status()).isEqualTo(2);
  }

  @Test
  void anAppendIsRefusedWhenTheHeadHasMoved() {
    Path store = DemoStore.in(folder);

    Call.Result refused = new Call().input("x").on(store, "append", "1", "--expect-head", "6");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("6").contains("14").contains("varve log");
  }

  // ---- reading

  @Test
  void theLogPagesBackwards() {
    Path store = sharedStore;

    assertThat(varve(store, "log", "1", "-n", "2").out()).contains("Done:").doesNotContain("env");
    assertThat(varve(store, "log", "1", "-n", "1", "--before", "6").out()).contains("tool: env");
    assertThat(varve(store, "log", "1", "--before", "12").status()).isEqualTo(1);
  }

  @Test
  void withoutANumberTheLogIsOfTheContextThatWasActiveLast() {
    Path store = DemoStore.in(folder);
    new Call().input("the latest").on(store, "append", "2");

    assertThat(varve(store, "log", "-n", "1").out()).contains("the latest");
  }

  @Test
  void moreContextsAreShownOnRequest() {
    Path store = folder.resolve("s");
    try (LocalStore local = LocalStore.open(store, StoreOptions.DEFAULTS)) {
      for (int i = 0; i < 23; i++) {
        local.createContext();
      }
    }

    assertThat(varve(store, "contexts").lines()).hasSize(1 + 20);
    assertThat(varve(store, "contexts", "-n", "3").lines()).hasSize(1 + 3);
    assertThat(varve(store, "contexts", "--all", "--json").lines()).hasSize(23);
    assertThat(new Call().atTerminal(80).on(store, "contexts").err()).contains("--all");
  }

  @Test
  void controlCharactersOfAPayloadNeverReachTheTerminal() {
    Path store = folder.resolve("s");
    varve(store, "new", "--title", "t\u001b]0;owned\u0007\u202e");
    String evil = "{\"role\":\"user\",\"text\":\"\\u001b[2Jx\u202ey\u0085\"}";
    new Call().input(evil).on(store, "append", "1", "--type", "t\u001b[31m@1");

    for (String command :
        new String[] {
          "contexts", "log 1", "show 1", "log 1 --graph", "log 1 --json", "show 1 --json"
        }) {
      String out =
          new Call().with("NO_COLOR", "1").atTerminal(100).on(store, command.split(" ")).out();
      assertThat(out)
          .as(command)
          .doesNotContain("\u001b", "\u0007", "\u202e", "\u0085")
          .isNotEmpty();
    }
  }

  @Test
  void aTerminalIsSparedBinaryUnlessOneInsists() {
    Path store = folder.resolve("s");
    String hash = new Call().input("a\u001bb").on(store, "put").out().strip();

    Call.Result refused = new Call().atTerminal(80).on(store, "cat", hash);
    Call.Result forced = new Call().atTerminal(80).on(store, "cat", hash, "--force");

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("--force");
    assertThat(forced.out()).isEqualTo("a\u001bb");
    assertThat(varve(store, "cat", hash).out()).as("not a terminal").isEqualTo("a\u001bb");
  }

  @Test
  void checkFindsADamagedBlobAndSaysSoInItsStatus() throws IOException {
    Path store = DemoStore.in(folder);
    byte[] noise = new byte[20_000]; // the last block of a file is healed by the checkpoint
    new SplittableRandom(1).nextBytes(noise);
    Path file = Files.write(folder.resolve("noise"), noise);
    assertThat(varve(store, "put", file.toString()).status()).isZero();
    assertThat(varve(store, "check").status()).isZero();
    Path pack = store.resolve("blobs.pack");
    byte[] bytes = Files.readAllBytes(pack);
    bytes[bytes.length / 2] ^= 1;
    Files.write(pack, bytes);

    Call.Result check = varve(store, "check");

    assertThat(check.status()).isEqualTo(3);
    assertThat(check.out()).contains("blobs.pack").contains("problem");
    assertThat(varve(store, "check", "--json").out()).contains("\"sound\":false");
  }

  @Test
  void checkRebuildMakesTheIndexesAnew() {
    Path store = DemoStore.in(folder);

    assertThat(varve(store, "check", "--rebuild").status()).isZero();

    assertThat(varve(store, "log", "2").lines()).hasSize(10);
  }

  // ---- refusals

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
    assertThat(varve(folder, "contxts").err()).contains("Did you mean contexts");
    assertThat(varve(folder, "log", "--grap").err()).contains("Did you mean --graph");
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
