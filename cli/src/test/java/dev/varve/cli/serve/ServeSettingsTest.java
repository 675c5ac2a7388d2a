// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The settings of `varve serve`, from the places that `--print-config` names.
final class ServeSettingsTest {

  @TempDir Path folder;
  private final Call call = new Call();

  private Call.Result print(String... more) {
    List<String> words = new ArrayList<>(List.of("serve", "--print-config"));
    words.addAll(List.of(more));
    return call.on(folder.resolve("store"), words.toArray(String[]::new));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("varve.conf"), text);
  }

  @Test
  void theCommandLineComesBeforeTheEnvironmentAndTheEnvironmentBeforeTheFile() throws IOException {
    Path file = file("cache-mib = 16\nzstd-level = 5\nhttp = 127.0.0.1:1\n");
    call.with("VARVE_CACHE_MIB", "64").with("VARVE_ZSTD_LEVEL", "7").with("VARVE_CONFIG", "gone");

    Call.Result result = print("--config", file.toString(), "--zstd-level", "9");

    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("# VARVE_ZSTD_LEVEL, from the command line\nzstd-level = 9\n")
        .contains("# VARVE_CACHE_MIB, from VARVE_CACHE_MIB\ncache-mib = 64\n")
        .contains("# VARVE_HTTP, from 'http' in " + file + "\nhttp = 127.0.0.1:1\n")
        .contains("# VARVE_DURABILITY, from the default\ndurability = grouped\n")
        .contains("# token-file =\n");
  }

  @Test
  void theSettingsThatArePrintedAreASettingsFile() throws IOException {
    call.with("VARVE_ALLOW_HOST", "a.example, b.example").with("VARVE_TOKEN_FILE", "tokens");
    call.with("VARVE_ALLOW_RESTORE", "true");
    String printed = print().out();

    Call.Result again = new Call().run("serve", "--print-config", "--config", "" + file(printed));

    assertThat(again.out().lines().filter(line -> !line.startsWith("#")))
        .containsExactlyElementsOf(printed.lines().filter(line -> !line.startsWith("#")).toList())
        .contains(
            "allow-host = a.example,b.example", "token-file = tokens", "allow-restore = true");
  }

  @Test
  void aProgramReadsOneObjectALine() {
    assertThat(
            call.with("CXDB_BIND", "127.0.0.1:7")
                .with("VARVE_HTTP", "")
                .run("serve", "--print-config", "--json")
                .lines())
        .contains("{\"option\":\"binary\",\"value\":\"127.0.0.1:7\",\"source\":\"CXDB_BIND\"}")
        .allMatch(line -> line.startsWith("{\"option\":"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "cache = 3 | 'cache' is no option of serve",
        "cache-mib = many | expected a number, found 'many'",
        "cache-mib = -1 | --cache-mib: expected 0 to",
        "zstd-level = 99 | has its value from 'zstd-level' in",
        "http = here | --http: expected HOST:PORT, found 'here'",
        "http = 1\\nhttp = 2 | 'http' is there twice",
        "http = \\u12 | Malformed",
        "tls-key = k.pem | expected both or none",
        "allow-restore = yes | expected true or false, found 'yes'",
      })
  void aWrongSettingIsRefusedByName(String text, String message) throws IOException {
    Call.Result result = print("--config", file(text.replace("\\n", "\n")).toString());

    assertThat(result.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(result.err()).contains(message);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aFileThatIsNoSettingsFileIsRefused() throws IOException {
    assertThat(print("--config", folder.toString()).err()).contains("expected a file");
    assertThat(print("--config", folder + "/none").err()).contains("there is no such file");
    assertThat(print("--config", file("#".repeat(70_000)).toString()).err())
        .contains("at most 65536 bytes");
    Path latin = Files.write(folder.resolve("latin"), new byte[] {'#', (byte) 0xe4, '\n'});
    assertThat(print("--config", latin.toString()).err()).contains("expected UTF-8");
    call.with("VARVE_CACHE_MIB", "many");
    assertThat(print().err()).contains("VARVE_CACHE_MIB: expected a number, found 'many'");
  }
}
