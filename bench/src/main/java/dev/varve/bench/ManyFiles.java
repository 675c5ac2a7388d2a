// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// A repository of many files of usual sizes, and more than half as many that are ignored. The same
/// each time.
final class ManyFiles {

  private static final int FILES_A_FOLDER = 50;

  private final Path repository;
  private final SplittableRandom random = new SplittableRandom(1);

  ManyFiles(Path repository) {
    this.repository = repository;
  }

  void make(int files) throws IOException, InterruptedException {
    for (int i = 0; i < files; i++) {
      Files.createDirectories(file(i).getParent());
      write(i);
    }
    for (int i = 0; i < files * 3 / 5; i++) {
      Path ignored = repository.resolve("node_modules/dep" + i / 40 + "/lib/f" + i % 40 + ".js");
      Files.createDirectories(ignored.getParent());
      Files.writeString(ignored, "x");
    }
    Files.writeString(repository.resolve(".gitignore"), "node_modules/\n");
    git(Map.of(), "init", "-q");
    git(Map.of(), "add", "-A");
    git(
        Map.of(),
        "-c",
        "user.name=u",
        "-c",
        "user.email=u@localhost",
        "commit",
        "-q",
        "-m",
        "first");
    git(Map.of(), "gc", "-q");
  }

  private Path file(int i) {
    int folder = i / FILES_A_FOLDER;
    return repository.resolve(
        "src/pkg" + folder % 40 + "/mod" + folder + "/file" + i % FILES_A_FOLDER + ".ts");
  }

  void write(int i) throws IOException {
    int bytes = (int) Math.min(60_000, Math.exp(7.9 + 0.9 * random.nextGaussian()));
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append("word").append(random.nextInt(10_000)).append(' ');
    }
    Files.writeString(file(i), text);
  }

  String git(Map<String, String> variables, String... args)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("git", "-c", "gc.auto=0"));
    words.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(repository.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("git " + String.join(" ", args));
    }
    return printed;
  }

  /// The way of others: a fresh index each time.
  ///
  /// @param index where it is made
  /// @return the tree
  String fresh(Path index) throws IOException, InterruptedException {
    Files.deleteIfExists(index);
    Map<String, String> variables = Map.of("GIT_INDEX_FILE", index.toString());
    git(variables, "add", "-A");
    return git(variables, "write-tree");
  }
}
