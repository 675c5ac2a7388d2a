// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.rewind.Repo;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Snapshots that no push takes along. The letters are those of a list of defects found in another
/// tool of this kind.
final class ExternalRepositoryTest {

  @TempDir Path folder;

  private Path outside() {
    return folder.resolve("outside.git");
  }

  @Test
  void p1AMirrorHasNothingOfSnapshotsThatAreKeptOutside() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write(".env", "secret");
    repo.git("add", "a");
    repo.gitAs("commit", "-qm", "x");
    repo.capture();

    assertThat(GitRewind.keepOutside(repo.root(), outside())).isTrue();
    repo.write(".env", "another secret");
    repo.capture();

    repo.git("clone", "-q", "--mirror", repo.root().toString(), folder.resolve("m").toString());
    Repo mirror = repo.at(folder.resolve("m"));
    assertThat(mirror.git("for-each-ref")).doesNotContain("pi-rewind");
    assertThat(mirror.git("cat-file", "--batch-all-objects", "--batch-check"))
        .doesNotContain(repo.git("hash-object", ".env").strip());
    assertThat(repo.git("for-each-ref")).doesNotContain("pi-rewind");
  }

  @Test
  void whatWasThereIsMovedAndComesBackWhateverTheRepositoryCollects() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write("b/c", "1");
    Snapshot first = repo.capture();
    String before = repo.repository();
    GitRewind.keepOutside(repo.root(), outside());
    repo.write("a", "2").write("new", "1");
    Snapshot second = repo.capture();
    repo.git("gc", "-q", "--prune=now");

    assertThat(repo.rewind().snapshots()).hasSize(2);
    assertThat(repo.restore(first).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("1");
    assertThat(repo.path("new")).doesNotExist();
    assertThat(repo.restore(second).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("2");
    assertThat(repo.repository()).isEqualTo(before);
    assertThat(repo.rewind().check().problems()).isEmpty();
    assertThat(GitRewind.keepOutside(repo.root(), outside())).isFalse();
  }

  @Test
  void aProcessThatStaysWritesOutsideToo() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    GitRewind.keepOutside(repo.root(), outside());
    Rewind staying = repo.rewind().withFileCache();
    staying.capture("");
    repo.write("a", "2");
    staying.capture("");

    assertThat(repo.git("count-objects").strip()).startsWith("0 objects");
    assertThat(repo.rewind().check().problems()).isEmpty();
  }

  @Test
  void linkedWorktreesKeepTheirsThereToo() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.git("add", "a");
    repo.gitAs("commit", "-qm", "x");
    repo.git("worktree", "add", "-q", "../linked");
    Repo linked = repo.at(repo.root().resolveSibling("linked"));
    Snapshot before = linked.capture();
    GitRewind.keepOutside(repo.root(), outside());
    linked.write("a", "2");
    linked.capture();

    assertThat(linked.restore(before).exact()).isTrue();
    assertThat(linked.read("a")).isEqualTo("1");
  }

  @Test
  void ofSha256Too() throws IOException {
    Repo repo = Repo.in(folder, "--object-format=sha256").write("a", "1");
    Snapshot first = repo.capture();
    GitRewind.keepOutside(repo.root(), outside());
    repo.write("a", "2");

    assertThat(repo.restore(first).exact()).isTrue();
  }

  @Test
  void ifTheyAreGoneItIsSaidAndNothingIsBegunAnew() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    GitRewind.keepOutside(repo.root(), outside());
    repo.capture();
    Files.move(outside(), folder.resolve("elsewhere"));

    assertThatThrownBy(repo::capture)
        .isInstanceOf(StoreException.NotFound.class)
        .hasMessageContaining("outside.git");
  }
}
