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
    for (String name : new String[] {"brief", "long", "histories", "watch", "always"}) {
      assertThat(found("^set \"" + name + "=(.*)\"\\r?$", "varve.cmd"))
          .isEqualTo(found("^" + name + "='(.*)'$", "varve"));
    }
  }

  @Test
  void theSameCommandsGetTheBetterCompiler() throws IOException {
    for (String first : new String[] {"serve", "check", "import"}) {
      String commands = found("^ {4}(" + first + "[a-z |]*)\\) flags=", "varve");
      assertThat(found("for %%c in \\((" + first + ".*?)\\)", "varve.cmd").split(" "))
          .containsExactly(commands.split(" \\| "));
    }
  }

  @Test
  void longCommandsHashWithVectorsWhereTheJdkHasThem() throws IOException {
    for (String file : new String[] {"varve", "varve.cmd"}) {
      assertThat(found("(jdk\\.incubator\\.vector.*)", file)).isNotEmpty();
      assertThat(found("long=\"?(.*) -Dvarve\\.vectors=yes", file)).isIn("-Xmx1g", "$long");
    }
  }

  @Test
  void theSameWatchesHaveAHeapThatShrinks() throws IOException {
    String words = found("^ {2}(.*\\*)\\) flags=\"\\$brief \\$watch\"", "varve");
    assertThat(found("for %%c in \\((sync.*?)\\)", "varve.cmd").split(" "))
        .containsExactly(words.replaceAll("\"([a-z]+) \"\\*\" --watch \"\\*", "$1").split(" \\| "));
    assertThat(found("if \"%~1\"==\"--watch\" set \"flags=(.*)\"", "varve.cmd"))
        .isEqualTo("%brief% %watch%");
  }

  @Test
  void readingCommandsAndExportsCollectInOneThread() throws IOException {
    for (String first : new String[] {"check", "export"}) {
      String serial = first + ".*-XX:\\+UseSerialGC";
      assertThat(found("^ {4}(" + serial + ")", "varve")).isNotEmpty();
      assertThat(found("(" + serial + ")", "varve.cmd")).isNotEmpty();
    }
  }
}
