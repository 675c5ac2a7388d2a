// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import static dev.varve.jp.JpFolders.CLOCK;
import static dev.varve.jp.JpFolders.NOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.jp.JpFolders;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.sweep.SweepReport.Candidate;
import dev.varve.jp.sweep.SweepReport.Ending;
import dev.varve.jp.sweep.SweepReport.Fate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// With a real git, in a repository of its own, whatever the user's configuration says.
final class GitKeepsTest {

  @TempDir Path folder;

  private JpFolders jp;
  private Path project;

  @BeforeEach
  void makeRepository() throws Exception {
    jp = new JpFolders(folder);
    project = folder.resolve("project");
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", "first");
  }

  private void git(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    Process git = builder.redirectErrorStream(true).start();
    String said = new String(git.getInputStream().readAllBytes(), UTF_8);
    assertThat(git.waitFor()).as("git %s: %s", String.join(" ", words), said).isZero();
  }

  private Path put(String content) throws IOException {
    BlobFolder store = new BlobFolder(jp.storage().resolve("blobs"), CLOCK);
    Sha256 hash = Sha256.of(content.getBytes(UTF_8));
    store.put(Map.of(hash, content.getBytes(UTF_8)));
    Files.setLastModifiedTime(store.file(hash), FileTime.from(NOW.minus(Duration.ofDays(99))));
    return store.file(hash);
  }

  private Path refer(String id, String content) {
    return jp.add(
        jp.storage(),
        id,
        "[{\"$blob\":\"" + Sha256.of(content.getBytes(UTF_8)) + "\",\"size\":1}]");
  }

  private SweepReport sweep() {
    return BlobSweep.run(
        jp.workspace(),
        jp.workspace().shared(),
        CLOCK,
        SweepOptions.DEFAULTS.withGrace(Duration.ZERO).withPatience(Duration.ZERO));
  }

  @Test
  void whatBranchesStashesWorktreesAndTheIndexReferToIsKept() throws Exception {
    git("checkout", "-q", "-b", "other");
    refer("17800000001", "on a branch");
    git("add", "-A");
    git("commit", "-q", "-m", "a conversation");
    git("checkout", "-q", "main");
    refer("17800000002", "in a stash");
    git("add", "-A");
    git("stash", "-q");
    refer("17800000003", "untracked in a stash");
    git("stash", "-q", "-u");
    git("worktree", "add", "-q", folder.resolve("tree").toString(), "-b", "third");
    JpFolders.write(
        folder.resolve("tree/.jp/conversations/17800000004/events.json"),
        "[{\"$blob\":\"" + Sha256.of("in a worktree".getBytes(UTF_8)) + "\"}]");
    Path staged = refer("17800000005", "in the index");
    git("add", staged.toString());
    Files.delete(staged);
    List<String> kept =
        List.of(
            "on a branch", "in a stash", "untracked in a stash", "in a worktree", "in the index");
    for (String content : kept) {
      put(content);
    }
    Path orphan = put("orphan");

    SweepReport report = sweep();

    assertThat(report.ending()).isEqualTo(Ending.DONE);
    assertThat(report.count(Fate.KEPT_FOR_GIT)).isEqualTo(5);
    assertThat(report.unreferenced())
        .filteredOn(candidate -> candidate.fate() == Fate.KEPT_FOR_GIT)
        .extracting(Candidate::why)
        .anyMatch(why -> why.contains("other"))
        .anyMatch(why -> why.contains("stash@{0}"))
        .anyMatch(why -> why.contains("stash@{1}"))
        .anyMatch(why -> why.contains("worktree"))
        .anyMatch(why -> why.contains("index"));
    assertThat(orphan).doesNotExist();
  }

  @Test
  void aTrackedBlobIsNotTakenAway() throws Exception {
    Path tracked = put("tracked");
    git("add", "-A", "-f");
    git("commit", "-q", "-m", "a blob");

    SweepReport report = sweep();

    assertThat(tracked).exists();
    assertThat(report.unreferenced()).extracting(Candidate::why).containsExactly("tracked by git");
  }

  @Test
  void whereGitCannotAnswerNothingIsRemoved() throws Exception {
    Path orphan = put("orphan");
    Files.writeString(project.resolve(".git/HEAD"), "nonsense");

    SweepReport report = sweep();

    assertThat(report.ending()).isEqualTo(Ending.BLOCKED);
    assertThat(report.why()).contains("git");
    assertThat(orphan).exists();
  }

  @Test
  @Timeout(60)
  void aGitThatNeverAnswersIsEndedWhenTheSweepIsToldToStop() throws Exception {
    Path blob = put("old");
    Process pipe =
        new ProcessBuilder("mkfifo", project.resolve(".git/packed-refs").toString()).start();
    assertThat(pipe.waitFor()).isZero();
    AtomicInteger asked = new AtomicInteger();

    SweepReport report =
        BlobSweep.run(
            jp.workspace(),
            jp.workspace().shared(),
            CLOCK,
            SweepOptions.DEFAULTS
                .withGrace(Duration.ZERO)
                .withStop(() -> asked.getAndIncrement() > 60));

    assertThat(report.ending()).isEqualTo(Ending.STOPPED);
    assertThat(report.count(Fate.LEFT)).isEqualTo(1);
    assertThat(blob).exists();
  }

  @Test
  void aBlobInTheUsersRootIsKeptForAConversationOnAnotherBranch() throws Exception {
    git("checkout", "-q", "-b", "other");
    refer("17800000001", "only the user has it");
    git("add", "-A");
    git("commit", "-q", "-m", "a conversation");
    git("checkout", "-q", "main");
    BlobFolder silo = new BlobFolder(jp.silo().resolve("blobs"), CLOCK);
    Files.createDirectories(jp.silo());
    Sha256 hash = Sha256.of("only the user has it".getBytes(UTF_8));
    silo.put(Map.of(hash, "only the user has it".getBytes(UTF_8)));
    Files.setLastModifiedTime(silo.file(hash), FileTime.from(NOW.minus(Duration.ofDays(365))));

    SweepReport report =
        BlobSweep.run(
            jp.workspace(),
            jp.workspace().roots().getLast(),
            CLOCK,
            SweepOptions.DEFAULTS.withGrace(Duration.ZERO));

    assertThat(report.count(Fate.KEPT_FOR_GIT)).isEqualTo(1);
    assertThat(silo.file(hash)).exists();
  }
}
