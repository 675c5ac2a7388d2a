// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static dev.varve.cli.Call.varve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreOptions;
import dev.varve.cli.store.DemoStore;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void aMsgpackPayloadIsShownAsJson() {
    Path store = folder.resolve("s");
    varve(store, "new");
    byte[] payload = {
      (byte) 0x82,
      (byte) 0xa4,
      'r',
      'o',
      'l',
      'e',
      (byte) 0xa4,
      'u',
      's',
      'e',
      'r', //
      (byte) 0xa4,
      't',
      'e',
      'x',
      't',
      (byte) 0xa2,
      'h',
      'i'
    };
    new Call().input(payload).on(store, "append", "1", "--encoding", "msgpack");

    assertThat(varve(store, "log", "1").out()).contains("user: hi").doesNotContain("(binary)");
    assertThat(new Call().with("NO_COLOR", "1").atTerminal(80).on(store, "show", "1").out())
        .contains("\"text\": \"hi\"");
    assertThat(varve(store, "show", "1", "--raw").bytes()).isEqualTo(payload);
  }

  @Test
  void theLogShowsTheWordsOfALongPayload() {
    Path store = folder.resolve("s");
    varve(store, "new");
    String image = "A".repeat(100_000);
    String json = "{\"image\":\"" + image + "\",\"role\":\"user\",\"text\":\"see this\"}";
    new Call().input(json).on(store, "append", "1");
    new Call().input("{\"role\":\"tool\",\"text\":\"x" + image + "\"}").on(store, "append", "1");

    assertThat(varve(store, "log", "1").out()).contains("user: see this").contains("tool: xAAA");
  }

  @Test
  void eachLineOfTheInputBecomesATurn() {
    Path store = folder.resolve("s");
    varve(store, "new");
    String lines = "{\"role\":\"user\",\"text\":\"one\"}\n\n{\"text\":\"two\"}";

    Call.Result first = new Call().input(lines).on(store, "append", "1", "--lines", "--key", "k");
    Call.Result again =
        new Call().input(lines + "\nthree\n").on(store, "append", "1", "--lines", "--key", "k");

    assertThat(first.out()).isEqualTo("1\n2\n");
    assertThat(again.out()).isEqualTo("1\n2\n3\n");
    assertThat(varve(store, "log", "1").lines()).hasSize(1 + 3);
    assertThat(varve(store, "show", "1", "--raw").out()).isEqualTo(lines.lines().findFirst().get());
    assertThat(varve(store, "show", "3", "--raw").out()).isEqualTo("three");
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
}
