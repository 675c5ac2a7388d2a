// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The launcher for Windows gives Java the options that the other launcher gives.
final class WindowsLauncherTest {

  private static final Path ROOT = Path.of(System.getProperty("root.dir"));

  private static String found(String pattern, String file) throws IOException {
    Matcher match =
        Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(ROOT.resolve(file)));
    assertThat(match.find()).as(pattern).isTrue();
    return match.group(1);
  }

  @Test
  void theOptionsOfJavaAreTheSame() throws IOException {
    for (String name : new String[] {"brief", "always"}) {
      assertThat(found("^set \"" + name + "=(.*)\"\\r?$", "varve.cmd"))
          .isEqualTo(found("^" + name + "='(.*)'$", "varve"));
    }
  }

  @Test
  void theSameCommandsGetTheBetterCompiler() throws IOException {
    String serving = found("^ {4}(serve[a-z |]*)\\) flags=", "varve");
    String reading = found("^ {4}(check[a-z |]*)\\) flags=", "varve");

    assertThat(found("for %%c in \\((.*?)\\)", "varve.cmd").split(" "))
        .containsExactly((serving + " | " + reading).split(" \\| "));
  }
}
