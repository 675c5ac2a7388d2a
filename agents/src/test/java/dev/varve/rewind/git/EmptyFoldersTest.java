// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.git.RepoPath;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.PlannedPath.Action;
import dev.varve.rewind.Repo;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Folders in which nothing is come and go, whatever keeps the snapshots. [Repo#files] has them.
/// The letter is that of a list of defects found in another tool of this kind.
@ParameterizedClass
@EnumSource(Repo.Kind.class)
final class EmptyFoldersTest {

  @TempDir Path folder;

  @Parameter Repo.Kind kind;

  private static void make(Repo repo, String... names) throws IOException {
    for (String name : names) {
      Files.createDirectories(repo.path(name));
    }
  }

  private static void demandBackAndForth(Repo repo, Snapshot snapshot, Map<RepoPath, String> then)
      throws IOException {
    Map<RepoPath, String> now = repo.files();
    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
    Rewind rewind = repo.rewind();
    assertThat(rewind.undo(rewind.planUndo()).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(now);
    assertThat(rewind.redo(rewind.planRedo()).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void e20FoldersThatWereEmptyComeBackAndNewOnesGo() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1").write("full/x", "1").write("filled", "1");
    make(repo, "gone/deep/er", "stays", "becomes-full", "closed", "parent/child");
    repo.permit("closed", "rwx------");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();

    Files.delete(repo.path("gone/deep/er"));
    Files.delete(repo.path("gone/deep"));
    Files.delete(repo.path("gone"));
    Files.delete(repo.path("closed"));
    Files.delete(repo.path("parent/child"));
    Files.delete(repo.path("full/x"));
    repo.write("becomes-full/y", "1").write("new-full/z", "1");
    make(repo, "new/in/side", "full/x");
    Files.delete(repo.path("filled"));
    make(repo, "filled");

    demandBackAndForth(repo, snapshot, then);
  }

  @Test
  void e20AFolderThatWasAFileOrALinkIsOneAgain() throws IOException {
    Repo repo = Repo.in(folder, kind).write("file", "1");
    repo.link("link", "file");
    make(repo, "folder", "other");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    for (String name : List.of("file", "link", "folder", "other")) {
      Files.delete(repo.path(name));
    }
    make(repo, "file", "link/in");
    repo.write("folder", "1").link("other", "file");

    demandBackAndForth(repo, snapshot, then);
  }

  @Test
  void e20PermissionsOfEmptyFoldersComeBack() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1");
    make(repo, "empty");
    repo.permit("empty", "rwx------");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    repo.permit("empty", "rwxr-x---");

    demandBackAndForth(repo, snapshot, then);
  }

  @Test
  void e20NothingIsTakenTwiceForAFolderThatDidNotChange() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1");
    Snapshot without = repo.capture();
    make(repo, "empty");
    Snapshot with = repo.capture();

    assertThat(with.commit()).isNotEqualTo(without.commit());
    assertThat(repo.capture().commit()).isEqualTo(with.commit());
    assertThat(repo.rewind().changes(without, with))
        .singleElement()
        .satisfies(change -> assertThat(change.newIsFolder()).isTrue());
    assertThat(
            new String(
                repo.rewind().diff(without, with, false), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualTo("Folder made: empty\n");
    assertThat(repo.rewind().has(with, RepoPath.of("empty"))).isTrue();
    assertThat(repo.rewind().has(without, RepoPath.of("empty"))).isFalse();
  }

  @Test
  void e20OnlyTheFoldersThatWereNamedAreRestored() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1");
    make(repo, "one/x", "two/x");
    Snapshot snapshot = repo.capture();
    repo.run("rm", "-r", repo.path("one").toString(), repo.path("two").toString());
    Rewind rewind = repo.rewind();

    rewind.restore(rewind.plan(snapshot, new PathSelection.Below(List.of(RepoPath.of("two")))));

    assertThat(repo.path("one")).doesNotExist();
    assertThat(repo.path("two/x")).isDirectory();
  }

  @Test
  void e20AFolderWithIgnoredFilesOnlyIsNeitherMadeNorDeleted() throws IOException {
    Repo repo = Repo.in(folder, Repo.Kind.GIT).write(".gitignore", "*.o\nout/\n").write("a", "1");
    make(repo, "empty", "out");
    Snapshot snapshot = repo.capture();
    repo.write("objects/x.o", "1").write("empty/y.o", "1").write("a", "2");
    RestorePlan plan = repo.rewind().plan(snapshot, new PathSelection.Everything());

    assertThat(snapshot.metadata().orElseThrow().emptyFolders().orElseThrow())
        .containsOnlyKeys(RepoPath.of("empty"));
    assertThat(plan.paths()).extracting(PlannedPath::path).containsExactly(RepoPath.of("a"));
    assertThat(repo.rewind().restore(plan).exact()).isTrue();
    assertThat(repo.read("objects/x.o") + repo.read("empty/y.o")).isEqualTo("11");
  }

  @Test
  void e20AFolderThatIsIgnoredSinceThenOrWasThenStays() throws IOException {
    Repo repo = Repo.in(folder, Repo.Kind.GIT).write(".gitignore", "out/\n").write("a", "1");
    make(repo, "out");
    Snapshot snapshot = repo.capture();
    repo.write(".gitignore", "");

    RestorePlan plan = repo.rewind().plan(snapshot, new PathSelection.Everything());
    assertThat(plan.paths())
        .filteredOn(path -> path.action() == Action.KEEP)
        .extracting(path -> path.path() + ": " + path.why())
        .containsExactly("out: was ignored then");
    repo.rewind().restore(plan);
    assertThat(repo.path("out")).isDirectory();
  }

  @Test
  void e20SnapshotsThatKnowNoFoldersTouchNone() throws IOException {
    Repo repo = Repo.in(folder, Repo.Kind.GIT).write("a", "1");
    repo.git("add", "a");
    String tree = repo.git("write-tree").strip();
    String other = repo.gitAs("commit-tree", tree, "-m", "pi rewind snapshot").strip();
    repo.write("a", "2");
    make(repo, "empty");

    assertThat(repo.restore(repo.rewind().snapshot(other)).exact()).isTrue();
    assertThat(repo.path("empty")).isDirectory();
  }

  @Test
  void e20EmptyFoldersOfRepositoriesInsideFollowTheirRules() throws IOException {
    Repo repo = Repo.in(folder, Repo.Kind.GIT).write(".gitignore", "build/\n").write("a", "1");
    Repo lib = repo.at(Files.createDirectories(repo.path("lib")));
    lib.git("init", "-q");
    lib.write(".gitignore", "tmp/\n").write("deep/f", "1");
    make(lib, "build", "tmp", "deep/empty");
    repo.at(Files.createDirectories(repo.path("bare-folder"))).git("init", "-q");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    assertThat(snapshot.metadata().orElseThrow().emptyFolders().orElseThrow())
        .containsOnlyKeys(RepoPath.of("lib/build"), RepoPath.of("lib/deep/empty"));
    Files.delete(lib.path("build"));
    Files.delete(lib.path("deep/empty"));
    make(lib, "new/er");

    demandBackAndForth(repo, snapshot, then);
  }
}
