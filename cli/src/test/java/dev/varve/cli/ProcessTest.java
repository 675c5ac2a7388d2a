// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.store.DemoStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The command as a process of its own, as a shell sees it.
final class ProcessTest {

  @TempDir Path folder;

  private Path store() {
    return DemoStore.in(folder);
  }

  /// Runs shell commands in which `varve` is the command, on a store.
  private Shell.Result sh(Path store, String commands) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String varve =
        ("varve() { '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                + " --enable-native-access=ALL-UNNAMED -cp '%s' dev.varve.cli.Main"
                + " --store '%s' \"$@\"; }; ")
            .formatted(java, System.getProperty("java.class.path"), store);
    return Shell.run("bash", "-c", varve + commands);
  }

  @Test
  void theStatusReachesTheShell() throws Exception {
    Path store = store();

    assertThat(sh(store, "varve stats").status()).isZero();
    assertThat(sh(store, "varve show 99").status()).isEqualTo(1);
    assertThat(sh(store, "varve show x").status()).isEqualTo(2);
  }

  @Test
  void whoReadsOnlyTheFirstLineSeesNoComplaint() throws Exception {
    Shell.Result result =
        sh(
            store(),
            "h=$(head -c 1000000 /dev/zero | varve put);"
                + " varve cat $h | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}");

    assertThat(result.out()).isEqualTo("141\n");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void eachLineOfJsonIsOneObject() throws Exception {
    Shell.Result result =
        sh(
            store(),
            "varve log 1 --json; varve contexts --json; varve stats --json; varve show 4 --json");

    assertThat(result.status()).isZero();
    assertThat(result.out().lines()).hasSize(9 + 3 + 1 + 1);
    result.out().lines().forEach(ProcessTest::demandObject);
  }

  @Test
  void nativeCodeThatCannotBeLoadedIsNoMistakeOfVarve() throws Exception {
    String options = "export JAVA_TOOL_OPTIONS=-Djava.io.tmpdir='" + folder + "/absent'; ";
    Path store = store();

    Shell.Result put = sh(store, options + "head -c 100000 /dev/zero | varve put");
    Shell.Result small = sh(store, options + "echo small | varve append 1");

    assertThat(put.status()).isEqualTo(74);
    assertThat(put.err())
        .contains("varve: zstd: native code cannot be loaded through java.io.tmpdir: ")
        .doesNotContain("a mistake");
    assertThat(small.status()).as(small.err()).isZero();
  }

  private static void demandObject(String line) {
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean id =
            parser.currentName().endsWith("_id") && !parser.currentName().equals("type_id");
        JsonToken value = parser.nextToken();
        assertThat(value == JsonToken.VALUE_STRING || !id).as(parser.currentName()).isTrue();
        parser.skipChildren();
      }
      assertThat(parser.nextToken()).isNull();
    }
  }

  @Test
  void twoProcessesTakeTurns() throws Exception {
    Shell.Result result =
        sh(
            store(),
            "mkfifo '"
                + folder
                + "/f'; varve append 1 - < '"
                + folder
                + "/f' & echo x > '"
                + folder
                + "/f'; wait; varve log 1 -n 1");

    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("15").contains("x");
  }

  @Test
  void exactBytesGoThroughPipes() throws Exception {
    Shell.Result result =
        sh(
            store(),
            "head -c 300000 /dev/urandom > '"
                + folder
                + "/r'; varve cat $(varve put '"
                + folder
                + "/r') | cmp - '"
                + folder
                + "/r' && echo same");

    assertThat(result.out()).isEqualTo("same\n");
  }
}
