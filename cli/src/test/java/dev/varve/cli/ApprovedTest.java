// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.store.DemoStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ApprovedTest {

  @TempDir Path folder;

  @Test
  void theRootHelpIsAsApproved() {
    Approved.check("help", Call.varve(folder, "--help").out());
  }

  static Iterable<String> commands() {
    return CommandModel.commands(CommandRun::of).values().stream()
        .flatMap(List::stream)
        .map(CommandEntry::name)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theHelpOfACommandIsAsApproved(String command) {
    Call.Result help = Call.varve(folder, command, "--help");

    assertThat(help.status()).isZero();
    assertThat(help.out()).contains("Examples:");
    Approved.check("help-" + command, help.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import pi",
        "import claude-code",
        "import codex",
        "import gemini",
        "import qwen",
        "import jp",
        "import cxdb",
        "export pi",
        "export jp",
        "pi sessions",
        "pi tree",
        "pi publish",
        "pi list",
        "pi get",
        "pi push",
        "pi bundle",
        "pi verify",
        "pi manifest",
        "rewind capture",
        "rewind list",
        "rewind show",
        "rewind diff",
        "rewind restore",
        "rewind undo",
        "rewind redo",
        "rewind gc",
        "rewind outside",
        "rewind doctor",
        "rewind serve"
      })
  void theHelpOfAFormatIsAsApproved(String format) {
    Approved.check(
        "help-" + format.replace(' ', '-'),
        Call.varve(folder, ("help " + format).split(" ")).out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jp externalize",
        "jp inline",
        "jp migrate",
        "jp print",
        "jp show",
        "jp check",
        "jp verify",
        "jp du",
        "jp gc",
        "jp fix",
        "jp plugin"
      })
  void theHelpOfAJpCommandIsAsApproved(String command) {
    theHelpOfAFormatIsAsApproved(command);
  }

  @Test
  void helpOnTheExitStatusIsAsApproved() {
    Approved.check("help-exit-status", Call.varve(folder, "help", "exit-status").out());
  }

  @Test
  void theListOfContextsIsAsApproved() {
    Approved.check("contexts", Call.varve(DemoStore.in(folder), "contexts").out());
  }

  @Test
  void theLogIsAsApproved() {
    Approved.check("log", Call.varve(DemoStore.in(folder), "log", "2").out());
  }

  @Test
  void theLogAtANarrowTerminalIsAsApproved() {
    Approved.check(
        "log-terminal",
        new Call().atTerminal(72).on(DemoStore.in(folder), "log", "2", "-n", "3").out());
  }

  @Test
  void theGraphIsAsApproved() {
    Approved.check("graph", Call.varve(DemoStore.in(folder), "log", "1", "--graph").out());
  }

  @Test
  void theGraphInAsciiIsAsApproved() {
    Approved.check(
        "graph-ascii",
        new Call().with("LANG", "C").on(DemoStore.in(folder), "log", "1", "--graph").out());
  }

  @Test
  void aTurnIsShownAsApproved() {
    Approved.check(
        "show",
        new Call()
            .with("NO_COLOR", "1")
            .atTerminal(80)
            .on(DemoStore.in(folder), "show", "5")
            .out());
  }

  @Test
  void theJsonOfEachReadingCommandIsAsApproved() {
    Path store = DemoStore.in(folder);
    String all =
        Call.varve(store, "contexts", "--json").out()
            + Call.varve(store, "log", "2", "-n", "2", "--json").out()
            + Call.varve(store, "show", "5", "--json").out()
            + Call.varve(store, "check", "--json").out();
    Approved.check("json", all);
  }

  @Test
  void theDemoIsAsApproved() {
    Call.Result demo =
        Call.varve(folder.resolve("other"), "demo", "--store", folder.resolve("d").toString());

    assertThat(demo.status()).isZero();
    Approved.check("demo", demo.out().replace(folder.resolve("d").toString(), "DIR"));
  }
}
