// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.git.RepoPath;
import dev.varve.rewind.PlannedPath.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What other tools of this kind get wrong, one test a defect: what is on the disk comes back, and
/// what was not captured stays. The letters are those of a list of defects found in one of them.
final class ExactnessTest {

  @TempDir Path folder;

  private static List<String> kept(RestorePlan plan) {
    return plan.paths().stream()
        .filter(path -> path.action() == Action.KEEP)
        .map(path -> path.path() + ": " + path.why())
        .toList();
  }

  @Test
  void e1ARenamedFileIsThereOnce() throws IOException {
    Repo repo = Repo.in(folder).write("old.txt", "the same text\n".repeat(20));
    repo.git("config", "diff.renames", "copies");
    Snapshot snapshot = repo.capture();
    Files.move(repo.path("old.txt"), repo.path("new.txt"));

    repo.restore(snapshot);

    assertThat(repo.files().keySet()).containsExactly(RepoPath.of("old.txt"));
  }

  @Test
  void e3AFileThatIsTrackedAndIgnoredIsCaptured() throws IOException {
    Repo repo = Repo.in(folder).write(".gitignore", "dist/\n").write("dist/app.js", "v1");
    repo.git("add", "-f", "dist/app.js", ".gitignore");
    repo.write("dist/app.js", "edited").write("dist/other.js", "not tracked");
    Snapshot snapshot = repo.capture();
    repo.write("dist/app.js", "by the agent").write("dist/other.js", "still ignored");

    RestoreOutcome outcome = repo.restore(snapshot);

    assertThat(outcome.exact()).isTrue();
    assertThat(repo.read("dist/app.js")).isEqualTo("edited");
    assertThat(repo.read("dist/other.js")).isEqualTo("still ignored");
  }

  @Test
  void e3AFileThatIsTrackedAndIgnoredIsSeenWhenItComesBack() throws IOException {
    Repo repo = Repo.in(folder).write(".gitignore", "dist/\n").write("dist/app.js", "v1");
    repo.git("add", "-f", "dist/app.js", ".gitignore");
    repo.capture();
    Files.delete(repo.path("dist/app.js"));
    Snapshot without = repo.capture();
    repo.capture();
    repo.write("dist/app.js", "v2");
    Snapshot with = repo.capture();

    assertThat(repo.rewind().has(without, RepoPath.of("dist/app.js"))).isFalse();
    assertThat(repo.rewind().has(with, RepoPath.of("dist/app.js"))).isTrue();
    assertThat(repo.capture().commit()).isEqualTo(with.commit());
  }

  @Test
  void e3AFileThatBecomesTrackedIsKeptByARestoreToWhenItWasIgnored() throws IOException {
    Repo repo = Repo.in(folder).write(".gitignore", "dist/\n").write("dist/app.js", "v1");
    Snapshot snapshot = repo.capture();
    repo.git("add", "-f", "dist/app.js");

    RestorePlan plan = repo.rewind().plan(snapshot, new PathSelection.Everything());

    assertThat(kept(plan)).containsExactly("dist/app.js: was ignored then");
  }

  @Test
  void e4AFileThatIsIgnoredSinceThenIsNotOverwritten() throws IOException {
    Repo repo = Repo.in(folder).write(".env", "old").write("a", "1");
    Snapshot snapshot = repo.capture();
    repo.write(".gitignore", ".env\n").write(".env", "newer").write("a", "2");
    Rewind rewind = repo.rewind();

    RestorePlan plan = rewind.plan(snapshot, new PathSelection.Everything());
    rewind.restore(plan);
    assertThat(kept(plan)).containsExactly(".env: is ignored now");
    assertThat(repo.read(".env")).isEqualTo("newer");
    rewind.undo(rewind.planUndo());

    assertThat(repo.read(".env")).isEqualTo("newer");
    assertThat(repo.read(".gitignore")).isEqualTo(".env\n");
  }

  @Test
  void e4AFileThatWasIgnoredThenIsNotDeletedWhenTheRuleWent() throws IOException {
    Repo repo = Repo.in(folder).write(".gitignore", "*.db\n").write("x/data.db", "precious");
    Snapshot snapshot = repo.capture();
    repo.write(".gitignore", "");
    repo.capture();
    repo.write("x/new", "by the agent");

    RestoreOutcome outcome = repo.restore(snapshot);

    assertThat(kept(outcome.plan())).containsExactly("x/data.db: was ignored then");
    assertThat(repo.files().keySet())
        .extracting(RepoPath::toString)
        .containsExactly(".gitignore", "x/data.db");
  }

  @Test
  void e5ARepositoryThatTheAgentMadeIsNeverDeleted() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Snapshot snapshot = repo.capture();
    Repo nested = repo.at(Files.createDirectories(repo.path("nested")));
    nested.git("init", "-q");
    nested.write("f", "history").gitAs("add", "-A");
    nested.gitAs("commit", "-qm", "first");
    repo.write("a", "2");
    Map<RepoPath, String> before = repo.files();
    Rewind rewind = repo.rewind();

    RestorePlan plan = rewind.plan(snapshot, new PathSelection.Everything());
    rewind.restore(plan);

    assertThat(plan.repositories())
        .extracting(each -> each.path() + " " + each.words())
        .containsExactly(
            "nested/ was not there then; it stays, without the files that come and go");
    assertThat(nested.path("f")).doesNotExist();
    assertThat(nested.git("log", "--oneline")).contains("first");
    rewind.undo(rewind.planUndo());
    assertThat(repo.files()).isEqualTo(before);
  }

  @Test
  void e5AFolderThatBecomesARepositoryKeepsItsHistory() throws IOException {
    Repo repo = Repo.in(folder).write("lib/f", "1");
    Snapshot snapshot = repo.capture();
    Repo nested = repo.at(repo.path("lib"));
    nested.git("init", "-q");
    nested.write("f", "2").write("g", "2").gitAs("add", "-A");
    nested.gitAs("commit", "-qm", "first");

    repo.restore(snapshot);

    assertThat(nested.git("log", "--oneline")).contains("first");
    assertThat(nested.read("f")).isEqualTo("1");
    assertThat(nested.path("g")).doesNotExist();
  }

  @Test
  void e7ARepositoryWithoutCommitsIsNoObstacle() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.at(Files.createDirectories(repo.path("empty"))).git("init", "-q");
    Snapshot snapshot = repo.capture();
    repo.write("a", "2");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("1");
  }

  @Test
  void e9AnIgnoredLinkInPlaceOfAFolderIsNotWrittenThrough() throws IOException {
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Repo repo = Repo.in(folder).write("dir/f", "1");
    Snapshot snapshot = repo.capture();
    Files.delete(repo.path("dir/f"));
    Files.delete(repo.path("dir"));
    repo.link("dir", outside.toString());
    repo.write(".gitignore", "/dir\n");

    RestoreOutcome outcome = repo.restore(snapshot);

    assertThat(kept(outcome.plan()))
        .containsExactly("dir/f: 'dir' is in its place and not captured");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void e12AnIgnoredFileInAFolderThatWasAFileIsKept() throws IOException {
    Repo repo = Repo.in(folder).write(".gitignore", "*.log\n").write("x", "a file");
    Snapshot snapshot = repo.capture();
    Files.delete(repo.path("x"));
    repo.write("x/run.log", "precious").write("x/y", "1");

    RestoreOutcome outcome = repo.restore(snapshot);

    assertThat(repo.read("x/run.log")).isEqualTo("precious");
    assertThat(kept(outcome.plan()))
        .containsExactly("x: a folder is in its place, with 'x/run.log', which is not captured");
  }

  @Test
  void e15NoFilterNoLineEndAndNoKeywordChangesAByte() throws IOException {
    Repo repo =
        Repo.in(folder)
            .write(
                ".gitattributes",
                "*.crlf text eol=crlf\n"
                    + "*.id ident\n"
                    + "*.f filter=lossy\n"
                    + "*.u working-tree-encoding=UTF-16\n");
    repo.git("config", "core.autocrlf", "input");
    repo.git("config", "filter.lossy.clean", "tr -d x");
    repo.git("config", "filter.lossy.smudge", "cat");
    repo.write("a.txt", "one\r\ntwo\n").write("b.crlf", "one\ntwo\r\n").write("c.id", "$Id$");
    repo.write("d.f", "xyz").write("e.u", "no UTF-16");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    for (String name : List.of("a.txt", "b.crlf", "c.id", "d.f", "e.u")) {
      repo.write(name, "changed");
    }

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void e16ARequiredFilterThatIsMissingIsNoObstacle() throws IOException {
    Repo repo = Repo.in(folder).write(".gitattributes", "*.bin filter=lfs\n").write("a.bin", "1");
    repo.git("config", "filter.lfs.clean", "no-such-program");
    repo.git("config", "filter.lfs.smudge", "no-such-program");
    repo.git("config", "filter.lfs.required", "true");
    Snapshot snapshot = repo.capture();
    repo.write("a.bin", "2");

    repo.restore(snapshot);

    assertThat(repo.read("a.bin")).isEqualTo("1");
  }

  @Test
  void aTreeFromElsewhereCannotLeadOutOfTheWorktree() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.capture();
    String blob = repo.git("hash-object", "-w", "a").strip();
    String hooks = tree(repo, "100755 blob " + blob + "\tpost-checkout");
    String git = tree(repo, "040000 tree " + hooks + "\thooks");
    String evil = tree(repo, "040000 tree " + git + "\t.GIT", "100644 blob " + blob + "\tb");
    String commit = repo.gitAs("commit-tree", evil, "-m", "evil").strip();

    RestorePlan plan =
        repo.rewind().plan(repo.rewind().snapshot(commit), new PathSelection.Everything());

    assertThat(kept(plan))
        .containsExactly(".GIT/hooks/post-checkout: its name leads out of the worktree");
  }

  private static String tree(Repo repo, String... entries) throws IOException {
    Path listing = Files.writeString(repo.path(".git/listing"), String.join("\n", entries) + "\n");
    return repo.run("sh", "-c", "git mktree < '" + listing + "'").strip();
  }
}
