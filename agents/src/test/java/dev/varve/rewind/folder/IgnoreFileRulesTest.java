// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.git.RepoPath;
import dev.varve.rewind.Repo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Patterns mean what they mean to git, which is asked.
final class IgnoreFileRulesTest {

  private static final String[] PIECES = {
    "a",
    "b",
    "ab",
    "*",
    "**",
    "?",
    "/",
    "/",
    ".",
    "[ab]",
    "[!a]",
    "[a-b]",
    "[[:alpha:]]",
    "\\a",
    "[/]",
    "-"
  };

  @TempDir Path folder;

  private static String piece(RandomGenerator random) {
    return PIECES[random.nextInt(PIECES.length)];
  }

  @Test
  void theyMatchWhatGitMatches() throws IOException {
    long seed = Long.getLong("sim.seed", -1) < 0 ? 29 : Long.getLong("sim.seed");
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Repo repo = Repo.in(folder);
    List<String> paths = paths(random);
    Files.writeString(folder.resolve("paths"), String.join("\n", paths) + "\n");
    for (int round = 0; round < 40; round++) {
      String rules = rules(random);
      repo.write(".gitignore", rules);
      String ignored =
          repo.run(
              "sh",
              "-c",
              "git -c core.quotePath=off check-ignore --no-index --stdin < ../paths || test $? ="
                  + " 1");

      IgnoreFileRules own = IgnoreFileRules.parse(rules);
      List<String> found =
          paths.stream().filter(path -> own.ignoresSomewhere(RepoPath.of(path), false)).toList();
      assertThat(found)
          .as("seed %d, round %d:%n%s", seed, round, rules)
          .containsExactlyInAnyOrderElementsOf(ignored.lines().toList());
    }
  }

  private static List<String> paths(RandomGenerator random) {
    String[] steps = {"a", "b", "ab", "ba", "aa.b", "-", "ü"};
    TreeSet<String> paths = new TreeSet<>();
    for (int i = 0; i < 80; i++) {
      List<String> path = new ArrayList<>();
      for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
        path.add(steps[random.nextInt(steps.length)]);
      }
      paths.add(String.join("/", path));
    }
    return List.copyOf(paths);
  }

  private static String rules(RandomGenerator random) {
    StringBuilder rules = new StringBuilder();
    for (int lines = 1 + random.nextInt(4); lines > 0; lines--) {
      rules.append(random.nextInt(5) == 0 ? "!" : "");
      for (int pieces = 1 + random.nextInt(5); pieces > 0; pieces--) {
        rules.append(piece(random));
      }
      rules.append(random.nextInt(6) == 0 ? "/" : "").append("\n");
    }
    return rules.toString();
  }

  @Test
  void linesAreReadAsGitReadsThem() {
    IgnoreFileRules rules =
        IgnoreFileRules.parse(
            "\u00ef\u00bb\u00bf*.log\r\n# no\n\\#yes\nend  \nkept\\ \n[unclosed\n");

    for (String name : List.of("x.log", "#yes", "end", "kept ")) {
      assertThat(rules.ignores(RepoPath.of(name), false)).as(name).isTrue();
    }
    for (String name : List.of("# no", "end  ", "[unclosed", "kept")) {
      assertThat(rules.ignores(RepoPath.of(name), false)).as(name).isFalse();
    }
    assertThat(IgnoreFileRules.parse(rules.text()).text()).isEqualTo(rules.text());
  }

  @Test
  void aPatternOfAStrangerCostsLittle() {
    IgnoreFileRules rules = IgnoreFileRules.parse("*a".repeat(200) + "b\n");

    assertThat(rules.ignores(RepoPath.of("a".repeat(250)), false)).isFalse();
  }

  @Test
  void namesThatAreNoTextStayDifferentInTrees() {
    List<byte[]> names =
        List.of(
            new byte[] {'a', (byte) 0xff},
            new byte[] {(byte) 0xc3},
            "\u00fc%FF".getBytes(UTF_8),
            Character.toString(0x10FEFF).getBytes(UTF_8),
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80});

    assertThat(names.stream().map(name -> TreeNames.text(RepoPath.of(name))))
        .doesNotHaveDuplicates()
        .allMatch(text -> text.equals(new String(text.getBytes(UTF_8), UTF_8)));
    for (byte[] name : names) {
      assertThat(TreeNames.path(TreeNames.text(RepoPath.of(name))).bytes()).isEqualTo(name);
    }
  }
}
