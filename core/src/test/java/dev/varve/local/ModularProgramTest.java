// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A program with a `module-info` of its own embeds the store: compiled, run and linked into an
/// image with the JDK's own tools. Its sources are `resources/modular-program`.
class ModularProgramTest {

  private static final String FLAG = "--enable-native-access=com.github.luben.zstd_jni";

  @TempDir static Path temp;

  private static Path sources;
  private static Path store;
  private static Path zstd;
  private static Path program;

  @BeforeAll
  static void compile() throws Exception {
    sources = Path.of(ModularProgramTest.class.getResource("/modular-program").toURI());
    store = place(LocalStore.class);
    zstd = place(Zstd.class);
    program = temp.resolve("program");
    tool(
        "javac",
        "-Xlint:all",
        "-Werror",
        "-d",
        program.toString(),
        "--class-path",
        temp.toString(),
        "--module-path",
        path(store, zstd),
        sources.resolve("module-info.java").toString(),
        sources.resolve("program/Main.java").toString());
  }

  @Test
  void aModularProgramAppendsAndReads() throws Exception {
    assertThat(
            java(
                Path.of(System.getProperty("java.home")),
                FLAG,
                "--module-path",
                path(store, zstd, program),
                "--module",
                "program/program.Main",
                temp.resolve("modular").toString()))
        .isEqualTo("read from module dev.varve.core\n");
  }

  @Test
  void theSameProgramRunsOnTheClassPath() throws Exception {
    assertThat(
            java(
                Path.of(System.getProperty("java.home")),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                path(store, zstd, program),
                "program.Main",
                temp.resolve("unnamed").toString()))
        .startsWith("read from unnamed module");
  }

  @Test
  void anImageOfTheProgramNeedsNothingElse() throws Exception {
    Path image = temp.resolve("image");
    tool(
        "jlink",
        "--module-path",
        path(store, zstd, program),
        "--add-modules",
        "program",
        "--output",
        image.toString());
    assertThat(
            java(
                image, FLAG, "--module", "program/program.Main", temp.resolve("linked").toString()))
        .isEqualTo("read from module dev.varve.core\n");
  }

  private static Path place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String path(Path... places) {
    List<String> names = new ArrayList<>();
    for (Path place : places) {
      names.add(place.toString());
    }
    return String.join(File.pathSeparator, names);
  }

  private static void tool(String name, String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int status = ToolProvider.findFirst(name).orElseThrow().run(out, out, arguments);
    assertThat(status).as("%s says: %s", name, said).isZero();
  }

  /// What a program prints, on both streams, once it has ended.
  private static String java(Path home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
    command.addAll(List.of(arguments));
    Path said = Files.createTempFile(temp, "said", ".txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    process.getOutputStream().close();
    assertThat(process.waitFor()).as(() -> text(said)).isZero();
    return text(said);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
