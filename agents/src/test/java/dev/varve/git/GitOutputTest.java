// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GitOutputTest {

  private static final RepoPath ODD = RepoPath.of("a \u00ff\t\"q\" -> b\n".getBytes(ISO_8859_1));

  @TempDir Path folder;

  private Git git = Git.in(Path.of(""));

  @BeforeEach
  void makeRepository() throws IOException {
    git = Git.in(folder);
    git.run("init", "-q");
    Files.writeString(ODD.under(folder), "one");
    Files.writeString(folder.resolve("gone"), "gone");
  }

  private String commit() {
    git.run("add", "-A");
    git.run("-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "-m", "m");
    return git.line("rev-parse", "HEAD");
  }

  @Test
  void aDifferenceIsReadWhateverTheNameIs() throws IOException {
    String before = commit();
    Files.writeString(ODD.under(folder), "two");
    Files.delete(folder.resolve("gone"));
    Files.createSymbolicLink(folder.resolve("new"), Path.of("x"));
    String after = commit();

    assertThat(TreeChange.between(git, before, after))
        .extracting(
            change ->
                change.path()
                    + " "
                    + Integer.toOctalString(change.oldMode())
                    + " "
                    + Integer.toOctalString(change.newMode()))
        .containsExactly(ODD + " 100644 100644", "gone 100644 0", "new 0 120000");
    assertThatThrownBy(() -> TreeChange.between(git, before, "no-such-commit"))
        .isInstanceOf(StoreException.Io.class);
  }

  @Test
  void theStatusIsReadWhateverTheNameIs() throws IOException {
    commit();
    Files.writeString(ODD.under(folder), "three");
    Files.delete(folder.resolve("gone"));
    Files.writeString(folder.resolve("staged"), "s");
    git.run("add", "staged");
    Files.writeString(folder.resolve("new"), "n");

    assertThat(WorktreeStatus.of(git).entries())
        .containsExactlyInAnyOrder(
            new StatusEntry(ODD, false, 'M'),
            new StatusEntry(RepoPath.of("gone"), false, 'D'),
            new StatusEntry(RepoPath.of("staged"), true, '.'),
            new StatusEntry(RepoPath.of("new"), false, '?'));
  }

  @Test
  void theCallersVariablesOfGitDoNotReachGit() {
    assertThat(
            git.with(Map.of("GIT_DIR", folder.resolve("elsewhere").toString()))
                .tryRun(new byte[0], "status")
                .status())
        .isNotZero();
    assertThat(git.tryRun(new byte[0], "status").status()).isZero();
    assertThat(git.feed("x".getBytes(ISO_8859_1), "hash-object", "--stdin")).hasSize(41);
    assertThatThrownBy(() -> git.run("no-such-command"))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("no-such-command");
  }
}
