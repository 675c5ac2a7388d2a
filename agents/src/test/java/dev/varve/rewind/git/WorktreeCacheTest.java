// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.git.RepoPath;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.Repo;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that stays and looks for itself finds what git would find.
@EnabledOnOs(OS.LINUX)
final class WorktreeCacheTest {

  @TempDir Path folder;
  private Repo repo;
  private Rewind staying;

  @BeforeEach
  void makeARepository() throws IOException {
    repo = Repo.in(folder).write("a", "1").write("d/b", "1").write("d/e/c", "1");
    repo.write(".gitignore", "*.o\nbuild/\n").write("build/x", "1").write("d/y.o", "1");
    staying = repo.rewind().withFileCache();
    staying.capture("");
  }

  /// What this process finds is what another finds, which asks git.
  private Snapshot demandTheSame(boolean withoutGit) {
    long before = withoutGit();
    Snapshot found = staying.capture("");
    assertThat(withoutGit() - before).isEqualTo(withoutGit ? 1 : 0);
    Snapshot byGit = repo.rewind().capture("");
    assertThat(byGit.tree()).isEqualTo(found.tree());
    assertThat(byGit.metadata()).isEqualTo(found.metadata());
    assertThat(byGit.commit()).isEqualTo(found.commit());
    return found;
  }

  private long withoutGit() {
    return ((GitArchive) staying.archive()).memory().withoutGit();
  }

  @Test
  void nothingChanged() {
    Snapshot first = staying.capture("");

    assertThat(demandTheSame(true)).isEqualTo(first);
  }

  @Test
  void filesChangeComeAndGo() throws IOException {
    repo.write("a", "2").write("n/o/new", "1").write("d/e/also new", "1").write("z.o", "ignored");
    Files.delete(repo.path("d/b"));
    demandTheSame(true);
    Files.delete(repo.path("d/e/c"));
    Files.delete(repo.path("d/e/also new"));
    Files.delete(repo.path("d/e"));
    demandTheSame(true);
    repo.write("d/e", "a file now");
    demandTheSame(true);
    repo.link("link", "a");
    demandTheSame(true);
    repo.permit("a", "rwxr-x---");
    demandTheSame(true);
    repo.permit("a", "rw-r--r--");
    demandTheSame(true);
    repo.write("n/o/new", "2").write("build/x", "2").write("d/y.o", "2");
    demandTheSame(true);
    assertThat(repo.git("cat-file", "-p", "refs/pi-rewind/store^{tree}")).isEmpty();
    repo.git("fsck", "--strict");
  }

  @Test
  void aFileOfTheSameSizeAndTimeIsOneThatChanged() throws IOException {
    FileTime before = Files.getLastModifiedTime(repo.path("a"));
    Snapshot first = staying.capture("");
    repo.write("a", "7");
    Files.setLastModifiedTime(repo.path("a"), before);

    assertThat(demandTheSame(true).tree()).isNotEqualTo(first.tree());
  }

  @Test
  void emptyFoldersAreLookedInto() throws IOException {
    Files.createDirectories(repo.path("empty/in"));
    demandTheSame(true);
    repo.write("empty/in/x", "1");
    demandTheSame(true);
  }

  @Test
  void e20EmptyFoldersAreSeenAndWhatIsIgnoredIsSomething() throws IOException {
    Files.createDirectories(repo.path("empty/in"));
    repo.write("objects/x.o", "ignored").write("d/out/build/x", "ignored");
    Snapshot found = demandTheSame(true);
    assertThat(found.metadata().orElseThrow().emptyFolders().orElseThrow())
        .containsExactly(Map.entry(RepoPath.of("empty/in"), "755"));
    repo.permit("empty/in", "rwx------");
    Files.delete(repo.path("objects/x.o"));
    found = demandTheSame(true);
    assertThat(found.metadata().orElseThrow().emptyFolders().orElseThrow())
        .containsExactly(
            Map.entry(RepoPath.of("empty/in"), "700"), Map.entry(RepoPath.of("objects"), "755"));
    repo.write("objects/y.o", "ignored").write("empty/file", "1");
    Files.delete(repo.path("empty/in"));
    found = demandTheSame(true);
    assertThat(found.metadata().orElseThrow().emptyFolders().orElseThrow()).isEmpty();
  }

  @Test
  void whatIsNotPlainIsLeftToGit() throws IOException {
    repo.write(".gitignore", "*.o\n");
    demandTheSame(false);
    repo.write("d/.gitignore", "b\n");
    demandTheSame(false);
    repo.git("init", "-q", "d/e");
    demandTheSame(false);
    repo.git("add", "a");
    demandTheSame(false);
  }

  @Test
  void e6FilesOfRepositoriesInsideAreSeenByTheirOwnRules() throws IOException {
    repo.write("vendor/x", "1");
    Repo vendor = repo.at(repo.path("vendor"));
    vendor.git("init", "-q");
    demandTheSame(false);
    vendor.write("x", "2").write("new", "1").write("y.o", "ignored by the outer one only");
    demandTheSame(true);
    vendor.write("build/z", "1").write(".git/COMMIT_EDITMSG", "written by git now and then");
    Snapshot found = demandTheSame(true);
    assertThat(repo.rewind().has(found, RepoPath.of("vendor/y.o"))).isTrue();
    assertThat(repo.rewind().has(found, RepoPath.of("vendor/build/z"))).isTrue();
    Files.delete(repo.path("vendor/build/z"));
    repo.write("a", "2");
    demandTheSame(true);
    vendor.write(".git/info/exclude", "*.tmp\n");
    demandTheSame(false);
    vendor.write("x.tmp", "1").write("d/x.tmp", "1").write("d/kept", "1");
    found = demandTheSame(true);
    assertThat(repo.rewind().has(found, RepoPath.of("vendor/d/x.tmp"))).isFalse();
    assertThat(repo.rewind().has(found, RepoPath.of("vendor/d/kept"))).isTrue();
  }

  @Test
  void e6WhatARepositoryInsideHasCheckedOutIsSeen() throws IOException {
    Repo vendor = repo.at(Files.createDirectories(repo.path("vendor")));
    vendor.git("init", "-q");
    demandTheSame(false);
    vendor.gitAs("commit", "-q", "--allow-empty", "-m", "first");
    Snapshot first = demandTheSame(false);
    vendor.gitAs("commit", "-q", "--allow-empty", "-m", "second");
    Snapshot second = demandTheSame(false);
    assertThat(second.metadata()).isNotEqualTo(first.metadata());
    vendor.git("update-ref", "HEAD", "HEAD~");
    assertThat(demandTheSame(false).metadata()).isEqualTo(first.metadata());
    vendor.git("pack-refs", "--all");
    demandTheSame(false);
    demandTheSame(true);
    repo.run("rm", "-rf", repo.path("vendor/.git").toString());
    demandTheSame(false);
  }

  @Test
  void e6AFileThatARepositoryInsideTracksAndIgnoresIsSeenWhenItComesBack() throws IOException {
    Repo vendor = repo.at(Files.createDirectories(repo.path("vendor")));
    vendor.git("init", "-q");
    vendor.write(".gitignore", "dist/\n").write("dist/app", "1");
    vendor.git("add", "-f", "dist/app");
    demandTheSame(false);
    Files.delete(repo.path("vendor/dist/app"));
    demandTheSame(true);
    vendor.write("dist/app", "2").write("dist/other", "ignored");
    Snapshot found = demandTheSame(true);
    assertThat(repo.rewind().has(found, RepoPath.of("vendor/dist/app"))).isTrue();
    assertThat(repo.rewind().has(found, RepoPath.of("vendor/dist/other"))).isFalse();
  }

  @Test
  void e3AFileThatIsTrackedAndIgnoredIsSeenWhenItComesBack() throws IOException {
    repo.git("add", "-f", "build/x");
    demandTheSame(false);
    Files.delete(repo.path("build/x"));
    demandTheSame(true);
    repo.write("build/x", "2").write("build/other", "ignored");
    Snapshot found = demandTheSame(true);
    assertThat(repo.rewind().has(found, RepoPath.of("build/x"))).isTrue();
    assertThat(repo.rewind().has(found, RepoPath.of("build/other"))).isFalse();
  }

  @Test
  void e6RepositoriesThatCannotBeCapturedAreLeftAlone() throws IOException {
    repo.write("gone/f", "1").write("gone/.git", "gitdir: ../nowhere\n");
    demandTheSame(false);
    repo.write("gone/f", "2").write("a", "2");
    demandTheSame(true);
    repo.run("rm", repo.path("gone/.git").toString());
    demandTheSame(false);
  }

  @Test
  void aRestoreIsSeen() throws IOException {
    Snapshot first = staying.capture("");
    repo.write("a", "2").write("new", "1");
    staying.capture("");
    assertThat(staying.restore(staying.plan(first, new PathSelection.Everything())).exact())
        .isTrue();

    assertThat(demandTheSame(true).tree()).isEqualTo(first.tree());
    assertThat(repo.read("a")).isEqualTo("1");
  }

  @Test
  void repositoriesOfSha256AreLookedAtToo() throws IOException {
    repo = Repo.in(folder.resolve("other"), "--object-format=sha256").write("a", "1");
    staying = repo.rewind().withFileCache();
    staying.capture("");
    repo.write("a", "2").write("b/c", "1");

    assertThat(demandTheSame(true).commit()).hasSize(64);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anyEditsAreSeen(long seed) throws IOException {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int round = 0; round < 12; round++) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        edit(random);
      }
      Snapshot found = staying.look();
      Snapshot byGit = repo.rewind().look();
      assertThat(found.tree()).as("seed %d, round %d", seed, round).isEqualTo(byGit.tree());
      assertThat(found.metadata()).as("seed %d, round %d", seed, round).isEqualTo(byGit.metadata());
    }
  }

  private void edit(RandomGenerator random) throws IOException {
    List<RepoPath> files = new ArrayList<>(repo.files().keySet());
    files.removeIf(RepoPath::isFolder);
    RepoPath any = files.get(random.nextInt(files.size()));
    Path file = any.under(repo.root());
    String name = "n" + random.nextInt(5) + "/m" + random.nextInt(3) + "/f" + random.nextInt(4);
    Path moved = repo.path("moved" + random.nextInt(3));
    if (Files.isSymbolicLink(file)) {
      Files.delete(file);
      return;
    }
    switch (random.nextInt(11)) {
      case 0, 1 -> Files.writeString(file, Integer.toString(random.nextInt(10)));
      case 2 -> {
        if (files.size() > 3) {
          Files.delete(file);
        }
      }
      case 3 ->
          Files.setPosixFilePermissions(
              file,
              java.nio.file.attribute.PosixFilePermissions.fromString(
                  random.nextBoolean() ? "rwx------" : "rw-r--r--"));
      case 4 -> repo.run("rm", "-rf", repo.path("n" + random.nextInt(5)).toString());
      case 5 -> Files.move(file, moved, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      case 8 -> {
        Files.deleteIfExists(moved);
        repo.link(
            moved.getFileName().toString(),
            "a" + random.nextInt(2) + (random.nextBoolean() ? "/" : "ü"));
      }
      case 6 -> write(name + ".o");
      case 9 -> {
        write(name + ".d/x");
        Files.deleteIfExists(repo.path(name + ".d/x"));
      }
      case 10 -> {
        if (Files.isDirectory(repo.path("n1"))) {
          repo.permit("n1", random.nextBoolean() ? "rwx------" : "rwxr-xr-x");
        }
      }
      default -> write(name);
    }
  }

  private void write(String name) throws IOException {
    if (Files.isRegularFile(repo.path(name).getParent().getParent())
        || Files.isRegularFile(repo.path(name).getParent())) {
      return;
    }
    repo.write(name, "1");
  }
}
