// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.cli.Call;
import dev.varve.cli.terminal.SafeText;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContextsCommandTest {

  @TempDir Path folder;

  @BeforeEach
  void importInAnotherOrderThanTheConversationsWere() {
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      add(store, "2026-01-05T11:00:00Z", "pi.session", "/projects/ada/shop", "Newest");
      add(store, "2025-06-01T00:00:00Z", "codex.session", "/projects/ada/shop/web", "Oldest");
      add(store, "2026-01-01T00:00:00Z", "pi.session", "/projects/ada/blog/", "Of new year");
      add(store, "2026-01-05T11:30:00Z", "pi.manifest", "", "notes");
    }
  }

  private static void add(LocalStore store, String at, String kind, String cwd, String title) {
    String about = "{\"kind\":\"%s\",\"cwd\":\"%s\",\"title\":\"%s\"}".formatted(kind, cwd, title);
    ContextId id = store.createContext().id();
    String type = kind.endsWith("manifest") ? "varve.pi.manifest" : "pi.message";
    store.append(
        id,
        NewTurn.of(Payload.utf8(title), new DeclaredType(type, 1), Encoding.RAW)
            .withCreatedAt(Instant.parse(at)));
    ContextHead described = store.describe(id, store.put(Payload.utf8(about)));
    assertThat(described.about()).isNotNull();
  }

  private List<String> titles(String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "contexts";
    System.arraycopy(options, 0, args, 1, options.length);
    return Call.varve(folder, args).lines().stream()
        .skip(1)
        .map(line -> line.replaceFirst(".* 1  ", ""))
        .toList();
  }

  @Test
  void theNewestConversationStandsFirstWheneverItWasImported() {
    assertThat(titles()).containsExactly("Newest", "Of new year", "Oldest");
    assertThat(titles("-n", "1")).containsExactly("Newest");
    assertThat(titles("--all")).containsExactly("notes", "Newest", "Of new year", "Oldest");
    assertThat(Call.varve(folder, "contexts", "-n", "1").err()).contains("There are more");
    assertThat(Call.varve(folder, "contexts", "-n", "3").err()).isEmpty();
    assertThat(Call.varve(folder, "log").out()).contains("Newest");
  }

  @ParameterizedTest
  @CsvSource({
    "--agent pi, Newest|Of new year",
    "--agent PI -n 1, Newest",
    "--agent codex, Oldest",
    "--project shop, Newest",
    "--project blog, Of new year",
    "--project /projects/ada/shop, Newest|Oldest",
    "--project /projects/ada, Newest|Of new year|Oldest",
    "--title NEW, Newest|Of new year",
    "--since 2h, Newest",
    "--since 2025-12-31 --until 2026-01-02, Of new year",
    "--since 2026-01-05T11:00, Newest",
    "--since 2026-01-05T12:00+02:00, Newest",
    "--until 2025-12-31T00:00:00Z, Oldest",
  })
  void theOptionsChoose(String options, String expected) {
    assertThat(String.join("|", titles(options.split(" ")))).isEqualTo(expected);
  }

  @Test
  void aChoiceThatNothingMatchesSaysSo() {
    Call.Result none = Call.varve(folder, "contexts", "--agent", "nobody");

    assertThat(none.status()).isZero();
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).contains("No context matches");
    assertThat(Call.varve(folder, "contexts", "--since", "soon").status()).isEqualTo(2);
    Call.Result zero = Call.varve(folder, "contexts", "-n", "0");
    assertThat(zero.out()).isEmpty();
    assertThat(zero.status()).as(zero.err()).isZero();
  }

  @Test
  void agentProjectAndTimesAreThereForPrograms() {
    assertThat(Call.varve(folder, "contexts", "--json", "-n", "1").out())
        .contains(
            "\"agent\":\"pi\",\"project\":\"shop\",\"folder\":\"/projects/ada/shop\",\"turns\":1,")
        .contains("\"conversation_active_at\":\"2026-01-05T11:00:00Z\"");
  }

  @Test
  void aLineFitsInto80Columns() {
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      String wide = "x".repeat(200);
      add(store, "2025-01-05T11:00:00Z", wide + ".session", "/projects/" + wide, wide);
    }

    assertThat(new Call().with("NO_COLOR", "1").atTerminal(80).on(folder, "contexts").lines())
        .hasSize(5)
        .allMatch(line -> SafeText.columns(line) <= 80);
    assertThat(new Call().with("VARVE_ASCII", "1").atTerminal(80).on(folder, "contexts").out())
        .contains("xxx~")
        .isASCII();
  }
}
