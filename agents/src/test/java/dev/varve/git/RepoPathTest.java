// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RepoPathTest {

  @TempDir Path folder;

  private static RepoPath latin(String text) {
    return RepoPath.of(text.getBytes(ISO_8859_1));
  }

  @Test
  void everyNameSurvivesItsEscape() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      RepoPath path = RepoPath.of(bytes);

      assertThat(RepoPath.parse(path.escaped())).isEqualTo(path);
      assertThat(path.escaped()).matches("[!-~]*");
    }
    assertThat(latin("50% of\nit").escaped()).isEqualTo("50%25%20of%0Ait");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%", "a%4", "%zz", "%4g"})
  void anEscapeThatIsNotWholeIsRefused(String text) {
    assertThatThrownBy(() -> RepoPath.parse(text)).isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void aFileWithANameThatIsNoTextIsFoundByItsBytes() throws IOException {
    RepoPath name = latin("caf\u00e9 %41\u00ff/\u0001.txt");
    Path file = name.under(folder);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "found");

    assertThat(RepoPath.from(folder, file)).isEqualTo(name);
    assertThat(Files.readString(name.under(folder))).isEqualTo("found");
    Git git = Git.in(folder);
    git.run("init", "-q");
    assertThat(RepoPath.list(git.run("ls-files", "-z", "--others"))).containsExactly(name);
  }

  @Test
  void listsAreTakenApartAndPutTogether() {
    List<RepoPath> paths = List.of(RepoPath.of("a"), latin("b\n\u00ff"), RepoPath.of("c/d"));

    assertThat(RepoPath.list(RepoPath.join(paths))).isEqualTo(paths);
    assertThat(RepoPath.list("half".getBytes(ISO_8859_1))).as("no end, no name").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", ".git", "a/.GIT/config"})
  void aNameThatLeavesTheWorktreeIsNotSafe(String name) {
    assertThat(RepoPath.of(name).isSafe()).isFalse();
  }

  @Test
  void namesThatAFileSystemTakesForTheRepositoryAreNotSafe() {
    assertThat(RepoPath.of(".g\u200cit/hooks/x").isSafe()).as("HFS+ ignores joiners").isFalse();
    assertThat(latin("a\0b").isSafe()).isFalse();
    assertThat(RepoPath.of("git/.gitignore").isSafe()).isTrue();
    assertThat(latin("\u00ff\u00fe").isSafe()).isTrue();
  }

  @Test
  void stepsAreComparedAsSteps() {
    RepoPath folder = RepoPath.of("a/b/");

    assertThat(RepoPath.of("a/b/c").isIn(folder)).isTrue();
    assertThat(RepoPath.of("a/bc").isIn(folder)).isFalse();
    assertThat(RepoPath.of("a/b").isIn(folder)).isTrue();
    assertThat(RepoPath.of("a/b/c").below(folder).after(folder)).isEqualTo(RepoPath.of("a/b/c"));
    assertThat(RepoPath.of("a/b").parent()).contains(RepoPath.of("a"));
    assertThat(RepoPath.of("a").parent()).isEmpty();
    assertThat(RepoPath.of("a/b").name()).isEqualTo(RepoPath.of("b"));
    assertThat(latin("\u00ff")).as("bytes are unsigned").isGreaterThan(RepoPath.of("z"));
  }
}
