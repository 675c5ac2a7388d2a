// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Runs another program and waits for it.
public final class Shell {

  private static final int PATIENCE_SECONDS = 120;

  public record Result(int status, String out, String err) {}

  private Shell() {}

  public static Result run(String... command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("varve-", ".out");
    Path err = Files.createTempFile("varve-", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectOutput(out.toFile()).redirectError(err.toFile());
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            "still running after " + PATIENCE_SECONDS + " s: " + String.join(" ", command));
      }
      return new Result(process.exitValue(), read(out), read(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /// Runs a program of one source file with all of this project at hand.
  static Result java(Path source, String... args) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                source.toString()));
    command.addAll(List.of(args));
    return run(command.toArray(String[]::new));
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /// The words that begin a call of `varve` as a process that reads no more than its files'
  /// permissions allow: the superuser gives up the right to read everything.
  public static List<String> varveWithoutPrivileges() {
    List<String> words = new ArrayList<>();
    if (ProcessHandle.current().info().user().equals(Optional.of("root"))) {
      words.addAll(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
    }
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.varve.cli.Main"));
    return words;
  }
}
