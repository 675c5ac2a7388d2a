// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The training run for the AOT cache (JEP 514). The launcher starts it once; it runs the brief
/// commands on a store of its own. Classes that are loaded here need not be loaded again by later
/// starts.
public final class AotTraining {

  private AotTraining() {}

  /// @param args the commands to leave out
  public static void main(String[] args) throws IOException {
    System.exit(train(List.of(args)));
  }

  private static int train(List<String> leftOut) throws IOException {
    Path folder = Files.createTempDirectory("varve-training-");
    try {
      String store = folder.resolve("store").toString();
      Path note =
          Files.writeString(folder.resolve("note.json"), "{\"role\":\"user\",\"text\":\"hi\"}");
      int worst = 0;
      for (List<String> command : commands(note.toString())) {
        if (leftOut.contains(command.getFirst())) {
          continue;
        }
        String[] words =
            Stream.concat(Stream.of("--store", store), command.stream()).toArray(String[]::new);
        worst = Math.max(worst, Main.run(words, blind()));
      }
      Main.run(new String[] {"--version"}, blind());
      Terminal.ofProcess();
      return worst;
    } finally {
      delete(folder);
    }
  }

  private static List<List<String>> commands(String note) {
    return List.of(
        List.of("demo"),
        List.of("append", "1", note, "--type", "note@1"),
        List.of("put", note),
        List.of("contexts"),
        List.of("contexts", "--json"),
        List.of("log", "1"),
        List.of("log", "1", "--graph"),
        List.of("log", "1", "--json"),
        List.of("show", "1"),
        List.of("show", "1", "--json"),
        List.of("stats"),
        List.of("search", "due", "date"),
        List.of("--help"));
  }

  private static Terminal blind() {
    Terminal.Surroundings surroundings =
        new Terminal.Surroundings(
            "varve",
            Map.of(),
            InstantSource.system(),
            ZoneId.systemDefault(),
            false,
            true,
            true,
            100);
    return new Terminal(
        new ByteArrayInputStream(new byte[0]),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        surroundings);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
