// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Shell;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShellWordTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", "/tmp/a b", "it's", "$HOME `x` \"y\" \\", "", "~", "*", "a\nb", "Grüße"})
  void aShellReadsTheWordAsItWas(String word) throws Exception {
    assertThat(Shell.run("sh", "-c", "printf %s " + ShellWord.quote(word)).out()).isEqualTo(word);
  }
}
