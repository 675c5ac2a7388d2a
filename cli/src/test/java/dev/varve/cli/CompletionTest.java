// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompletionTest {

  @TempDir Path folder;

  private Path script(String shell) throws IOException {
    return Files.writeString(folder.resolve(shell), Call.varve(folder, "completion", shell).out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void theScriptIsValidBash(String shell) throws Exception {
    Shell.Result parsed = Shell.run("bash", "-n", script(shell).toString());

    assertThat(parsed.err()).isEmpty();
    assertThat(parsed.status()).isZero();
  }

  @Test
  void zshFindsTheScriptAmongItsFunctions() throws IOException {
    String zsh = Files.readString(script("zsh"));

    assertThat(zsh).startsWith("#compdef varve\n"); // else compinit passes it over
    assertThat(zsh.stripTrailing()).endsWith("_bash_complete -F _complete_varve\nfi");
  }

  @Test
  void bashCompletesASubcommand() throws Exception {
    assertThat(complete("varve", "con")).contains("contexts");
  }

  @Test
  void bashCompletesAnOptionOfASubcommand() throws Exception {
    assertThat(complete("varve", "log", "--gr")).contains("--graph").doesNotContain("--as-of");
  }

  /// Asks bash what it would offer for these words.
  private String complete(String... words) throws Exception {
    String ask =
        "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\";"
            + " COMP_POINT=${#COMP_LINE}; _complete_varve varve \"${COMP_WORDS[COMP_CWORD]}\" x;"
            + " printf '%s\\n"
            + "' \"${COMPREPLY[@]}\"";
    String[] command = new String[5 + words.length];
    System.arraycopy(
        new String[] {"bash", "-c", ask, "bash", script("bash").toString()}, 0, command, 0, 5);
    System.arraycopy(words, 0, command, 5, words.length);
    Shell.Result result = Shell.run(command);
    assertThat(result.status()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void fishLearnsEveryCommand() throws IOException {
    String fish = Files.readString(script("fish"));

    assertThat(fish.lines().skip(1)).allMatch(line -> line.startsWith("complete -c varve "));
    CommandModel.commands(CommandRun::of).values().stream()
        .flatMap(List::stream)
        .forEach(entry -> assertThat(fish).contains(" -a " + entry.name() + " "));
    assertThat(fish.lines())
        .anyMatch(line -> line.contains("from log'") && line.contains("-l graph"));
    // Quotes are balanced: each is escaped or has a partner.
    assertThat(fish.lines())
        .allMatch(line -> line.replace("\\'", "").chars().filter(c -> c == '\'').count() % 2 == 0);
  }
}
