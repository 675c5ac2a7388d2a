// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What holds whatever keeps the snapshots, as [RestoreTest] does. The letters are those of a list
/// of defects found in another tool of this kind.
@ParameterizedClass
@EnumSource(Repo.Kind.class)
final class EveryArchiveTest {

  @TempDir Path folder;

  @Parameter Repo.Kind kind;

  @Test
  void e2AFolderOfTheWorktreeStandsForTheWholeWorktree() throws IOException {
    Repo repo = Repo.in(folder, kind).write("sub/a", "1").write("other/b", "1");
    repo.capture(); // a plain folder is one from its first capture on
    Repo sub = repo.at(repo.path("sub"));
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = sub.capture();
    repo.write("other/b", "2").write("other/new", "2").write("sub/a", "2");

    sub.restore(snapshot);

    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void e8ALinkOutOfTheWorktreeIsDeletedAsALink() throws IOException {
    Path outside = Files.writeString(folder.resolve("outside"), "mine");
    Repo repo = Repo.in(folder, kind).write("a", "1");
    Snapshot snapshot = repo.capture();
    repo.link("link", outside.toString());
    repo.link("folder-link", folder.toString());
    repo.write("a", "2");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files().keySet()).containsExactly(RepoPath.of("a"));
    assertThat(Files.readString(outside)).isEqualTo("mine");
  }

  @Test
  void e9AFolderThatBecameALinkBecomesAFolderAgainAndNothingIsWrittenThroughTheLink()
      throws IOException {
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Files.writeString(outside.resolve("f"), "mine");
    Repo repo = Repo.in(folder, kind).write("dir/f", "1").write("dir/g", "1");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    Files.delete(repo.path("dir/f"));
    Files.delete(repo.path("dir/g"));
    Files.delete(repo.path("dir"));
    repo.link("dir", outside.toString());

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
    assertThat(outside).isDirectoryContaining("glob:**/f");
    assertThat(Files.readString(outside.resolve("f"))).isEqualTo("mine");
    assertThat(outside.resolve("g")).doesNotExist();
  }

  @Test
  void e10AnEmptyWorktreeIsAStateLikeAnother() throws IOException {
    Repo repo = Repo.in(folder, kind);
    Snapshot snapshot = repo.capture();
    repo.write("a/b", "1");
    Rewind rewind = repo.rewind();

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEmpty();
    rewind.undo(rewind.planUndo());
    assertThat(repo.read("a/b")).isEqualTo("1");
  }

  @Test
  void e13PermissionsComeBack() throws IOException {
    Repo repo = Repo.in(folder, kind).write("secret", "s").write("tool", "t").write("plain", "p");
    repo.permit("secret", "rw-------");
    repo.permit("tool", "rwxr-x---");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    Files.delete(repo.path("secret"));
    repo.permit("tool", "rw-r--r--");
    repo.permit("plain", "rw-------");
    repo.capture();

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void e14AnyNameComesAndGoes() throws IOException {
    Repo repo = Repo.in(folder, kind);
    List<RepoPath> names =
        List.of(
            RepoPath.of(new byte[] {'b', 'a', 'd', (byte) 0xff}),
            RepoPath.of(new byte[] {'d', (byte) 0xc3, '/', (byte) 0x80, '%'}),
            RepoPath.of("line\nbreak"),
            RepoPath.of("\"quoted\"\t\\"),
            RepoPath.of("-rf"),
            RepoPath.of(":(top)"),
            RepoPath.of("ünï/%41 ?*[a]"));
    for (RepoPath name : names) {
      repo.write(name, "1".getBytes(UTF_8));
    }
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    for (RepoPath name : names) {
      Files.delete(name.under(repo.root()));
      repo.write(name.after("new"), "2".getBytes(UTF_8));
    }
    repo.write(names.getFirst(), "changed".getBytes(UTF_8));

    assertThat(then.keySet()).containsExactlyInAnyOrderElementsOf(names);
    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void e22WhatIsNoFileIsLeftAlone() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1");
    repo.run("mkfifo", repo.path("pipe").toString());
    Snapshot snapshot = repo.capture();
    repo.write("a", "2");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.path("pipe")).exists();
  }

  @Test
  void aFileOverTheLimitIsNamedAndNeverTouched() throws IOException {
    Repo repo =
        Repo.in(folder, kind).write("big", "x".repeat(100)).write("small", "1").write("grows", "1");
    Snapshot first = repo.rewind(50).capture("");
    repo.write("small", "2").write("grows", "y".repeat(100));
    Rewind rewind = repo.rewind(50);
    RestorePlan plan = rewind.plan(first, new PathSelection.Everything());
    rewind.restore(plan);

    assertThat(first.metadata().orElseThrow().leftOut(RepoPath.of("big"))).contains(LeftOut.LARGE);
    assertThat(repo.read("big")).isEqualTo("x".repeat(100));
    assertThat(repo.read("grows")).isEqualTo("y".repeat(100));
    assertThat(repo.read("small")).isEqualTo("1");
  }

  @Test
  void aReadOnlyFileInAReadOnlyFolderIsRestored() throws IOException {
    Repo repo = Repo.in(folder, kind).write("dir/a", "1");
    repo.permit("dir/a", "r--r--r--");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    repo.permit("dir/a", "rw-r--r--");
    repo.write("dir/a", "2");
    repo.permit("dir", "r-xr-xr-x");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
    assertThat(Permissions.octal(Files.getPosixFilePermissions(repo.path("dir"))))
        .isEqualTo(repo.isGit() ? "555" : "755"); // git knows no folders
    repo.permit("dir", "rwxr-xr-x");
  }

  @Test
  void c3WhatDidNotChangeIsNotCapturedTwice() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1");
    Snapshot snapshot = repo.capture();
    repo.write("a", "2");
    repo.restore(snapshot);

    assertThat(repo.capture().commit()).isEqualTo(snapshot.commit());
    assertThat(repo.rewind().snapshots()).hasSize(2);
  }

  @Test
  void filesOfOneContentUnderSeveralNamesAllComeBack() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1");
    Files.createLink(repo.path("b"), repo.path("a"));
    Files.createLink(repo.path("sub-b"), repo.path("a"));
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    repo.write("a", "2"); // and so all three

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void permissionsComeBackAlsoIfMostFilesHaveOthersNow() throws IOException {
    Repo repo = Repo.in(folder, kind);
    for (String name : List.of("a", "b", "c", "d", "e")) {
      repo.write(name, name);
      repo.permit(name, "rw-r--r--");
    }
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    for (String name : List.of("a", "b", "c")) {
      repo.permit(name, "rw-r-----");
    }
    repo.forget(); // what most files have is counted anew
    Map<RepoPath, String> before = repo.files();

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
    Rewind rewind = repo.rewind();
    assertThat(rewind.undo(rewind.planUndo()).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(before);
  }

  @Test
  void namesThatARepositoryKeepsForItselfAreNamedAndNeverTouched() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1").write("sub/.GIT/x", "1");
    Snapshot snapshot = repo.capture();
    assertThat(snapshot.metadata().orElseThrow().leftOut(RepoPath.of("sub/.GIT/x")))
        .contains(LeftOut.NAME);
    repo.write("a", "2").write("sub/.GIT/x", "2").write("sub/.GIT/y", "2");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("1");
    assertThat(repo.read("sub/.GIT/x")).isEqualTo("2");
    assertThat(repo.read("sub/.GIT/y")).isEqualTo("2");
  }

  @Test
  void aPipeInThePlaceOfAFileIsLeftAloneAndCalledOne() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1").write("b", "1");
    Snapshot snapshot = repo.capture();
    Files.delete(repo.path("a"));
    repo.run("mkfifo", repo.path("a").toString());
    repo.write("b", "2");
    Rewind rewind = repo.rewind();
    RestorePlan plan = rewind.plan(snapshot, new PathSelection.Everything());

    assertThat(plan.paths().getFirst().action()).isEqualTo(PlannedPath.Action.KEEP);
    assertThat(plan.paths().getFirst().why()).doesNotContain("ignored");
    rewind.restore(plan);
    assertThat(Files.readAttributes(repo.path("a"), BasicFileAttributes.class).isOther()).isTrue();
    assertThat(repo.read("b")).isEqualTo("1");
  }

  @Test
  void permissionsThatChangeInTheSecondOfACaptureAreSeenByTheNext() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1").write("b", "1").write("c", "1");
    repo.permit("a", "rw-r--r--");
    repo.capture();
    if (repo.isGit()) { // as blind as git is within a second
      Path settings = repo.archive().folder().resolve("config");
      Files.writeString(settings, Files.readString(settings) + "[core]\n\ttrustctime = false\n");
    }
    repo.permit("a", "rw-------");

    assertThat(repo.capture().metadata().orElseThrow().mode(RepoPath.of("a"))).contains("600");
  }

  @Test
  void aFolderOfUnusualPermissionsThatBecameAFileComesBackWithAllInIt() throws IOException {
    Repo repo = Repo.in(folder, kind).write("d/in/a", "1").write("d/b", "2");
    repo.permit("d", "rwx------");
    repo.permit("d/in", "rwxr-x---");
    Snapshot snapshot = repo.capture();
    for (String each : List.of("d/in/a", "d/in", "d/b", "d")) {
      Files.delete(repo.path(each));
    }
    repo.write("d", "a file");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.read("d/in/a")).isEqualTo("1");
    assertThat(repo.read("d/b")).isEqualTo("2");
  }
}
