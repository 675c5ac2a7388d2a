// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.hash.Blake3Lanes;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class VectorModuleTest {

  /// The process that the test looks at.
  public static final class Trial {
    private Trial() {}

    public static void main(String[] args) {
      System.out.print(VectorModule.load());
      System.out.print(" " + ServiceLoader.load(Blake3Lanes.class).findFirst().isPresent());
    }
  }

  @Test
  void theModuleIsAddedWithoutAWarning() throws Exception {
    assertThat(said("--add-exports=java.base/jdk.internal.module=ALL-UNNAMED"))
        .isEqualTo("true true");
  }

  @Test
  void withoutAccessThereIsNoModule() throws Exception {
    assertThat(said("-Dnothing=")).startsWith("false");
  }

  private static String said(String option) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                option,
                "-cp",
                System.getProperty("java.class.path"),
                Trial.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return said;
  }
}
