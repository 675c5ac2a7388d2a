// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.Repo;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worktree whose `.git` is gone, inside another worktree: nothing that is asked of it may act on
/// the one around it.
final class LostWorktreeTest {

  @TempDir java.nio.file.Path folder;
  private Repo repo;
  private Repo inner;
  private Snapshot before;

  /// The worktree around has something to undo.
  @BeforeEach
  void make() throws IOException {
    repo = Repo.in(folder).write("a", "1").write("d/c", "3");
    inner = repo.at(Files.createDirectories(repo.path("lib")));
    inner.git("init", "-q");
    inner.write("x", "1");
    before = repo.capture();
    repo.write("a", "2");
    repo.restore(before);
    repo.write("only-here", "1");
    repo.capture();
  }

  private void lose() throws IOException {
    Files.move(repo.path("lib/.git"), folder.resolve("gone"));
  }

  private static void refused(ThrowingCallable each) {
    assertThatThrownBy(each)
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("its repository is gone");
  }

  @Test
  void aRestoreAnUndoAndADropAreRefused() throws IOException {
    lose();
    Rewind outer = inner.rewind();

    assertThat(outer.root()).isEqualTo(repo.root().toRealPath());
    refused(() -> outer.plan(before, new PathSelection.Everything()));
    refused(outer::planUndo);
    refused(() -> outer.drop(Set.of(before.commit())));
    assertThat(repo.read("only-here")).isEqualTo("1");
    RestorePlan plan = repo.rewind().plan(before, new PathSelection.Everything());
    assertThat(plan.changes()).as("from the top it goes on").isPositive();
  }

  @Test
  void aRedoIsRefused() throws IOException {
    repo.rewind().undo(repo.rewind().planUndo());
    lose();

    refused(() -> inner.rewind().planRedo());
    assertThat(repo.rewind().planRedo().changes()).isPositive();
  }

  @Test
  void aRestoreThatBrokeOffIsNeitherFinishedNorTakenBackFromThere() throws IOException {
    repo.breakOff(before.commit());
    lose();
    Map<RepoPath, String> files = repo.files();

    refused(() -> inner.rewind().finish());
    refused(() -> inner.rewind().rollBack());
    assertThat(repo.files()).isEqualTo(files);
    assertThat(repo.rewind().begun()).isNotNull();
    assertThat(repo.rewind().finish().exact()).isTrue();
  }

  /// The folder was lost between the plan and its restore.
  @Test
  void aPlanThatWasMadeBeforeIsRefused() throws IOException {
    Rewind engine = inner.rewind();
    Snapshot first = engine.capture("");
    inner.write("x", "2");
    RestorePlan plan = engine.plan(first, new PathSelection.Everything());
    lose();
    Map<RepoPath, String> files = repo.files();

    assertThatThrownBy(() -> engine.restore(plan)).isInstanceOf(StoreException.NotFound.class);
    assertThat(repo.files()).isEqualTo(files);
    assertThat(repo.path("lib/.git")).doesNotExist();
  }

  /// A process that stays has found its worktree while the folder was whole.
  @Test
  void aProcessThatStaysFindsItsWorktreeGone() throws IOException {
    Rewind engine = inner.rewind().withFileCache();
    Snapshot first = engine.capture("");
    inner.write("x", "2");
    lose();
    Map<RepoPath, String> files = repo.files();

    for (ThrowingCallable each :
        new ThrowingCallable[] {
          () -> engine.capture(""),
          () -> engine.plan(first, new PathSelection.Everything()),
          engine::planUndo,
          engine::finish
        }) {
      assertThatThrownBy(each)
          .isInstanceOf(StoreException.NotFound.class)
          .hasMessageContaining("lib/.git");
    }
    assertThat(repo.files()).isEqualTo(files);
    assertThat(repo.path("lib/.git")).doesNotExist();
  }

  @Test
  void aFolderThatIsIgnoredIsNoPartOfTheWorktreeAroundIt() throws IOException {
    repo.write(".gitignore", "out\n");
    before = repo.capture();
    Repo other = repo.at(Files.createDirectories(repo.path("out")));

    assertThatThrownBy(() -> other.rewind().plan(before, new PathSelection.Everything()))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("is ignored by the repository around it");
  }
}
