// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.imports.SourceFolder;
import dev.varve.rewind.Repo;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.pi.RewindSettings.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is let go, and what never. The letters are those of docs/rewind-defects.md.
final class SnapshotSweepTest extends InASession {

  private static final Retention NONE_KEPT = new Retention(0L, null, false, true, null);
  private static final Retention NONE_OF_MINE = new Retention(0L, null, false, false, null);
  private static final Instant LATER = Instant.now().plus(Duration.ofDays(3));

  private SourceFolder sessions() {
    return SourceFolder.walk(folder.resolve("sessions"), SourceFolder.JSON_LINES);
  }

  private SnapshotSweep.Result sweep(Retention rules, FakePi self, Instant now) throws IOException {
    return new SnapshotSweep(repo.rewind(), rules, now, () -> false)
        .run(sessions(), self.file, self.live.needs(), false);
  }

  private Set<String> kept() {
    Set<String> kept = new HashSet<>();
    repo.rewind().snapshots().forEach(snapshot -> kept.add(snapshot.commit()));
    return kept;
  }

  @Test
  void soManyAreKeptAsTheRulesSayAndTheOldestGo() throws IOException {
    String first = pi.prompt(write("v1"));
    String second = pi.prompt(write("v2"));
    String third = pi.prompt(write("v3"));
    pi.prompt();

    // The last is where the session stands; of the three others one may stay.
    SnapshotSweep.Result result = sweep(new Retention(1L, null, false, true, null), pi, LATER);

    assertThat(result.dropped()).hasSize(2);
    assertThat(result.kept()).isEqualTo(2);
    pi.open("resume");
    assertThat(kept()).contains(pi.points().at(third)).hasSize(2);
    assertThat(kept()).doesNotContain(pi.live.points().bindings().at(first));
    assertThat(kept()).doesNotContain(pi.live.points().bindings().at(second));
  }

  @Test
  void whatIsLetGoIsCollectedAndWhatIsKeptIsNot() throws IOException {
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    String last = pi.prompt(write("v3"));
    int before = kept().size();
    pi.open("resume");
    sweep(new Retention(1L, null, false, true, null), pi, LATER);
    if (repo.isGit()) {
      repo.git("reflog", "expire", "--expire=now", "--all");
      repo.git("gc", "-q", "--prune=now");
    }

    pi.open("resume");
    assertThat(before).isEqualTo(4);
    assertThat(pi.points().count()).isEqualTo(3);
    repo.write("f", "other");
    pi.tree(last, RestoreMenu.Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v2");
  }

  @Test
  void nothingIsTooOldBeforeItsTime() throws IOException {
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    pi.open("resume");
    Retention days = new Retention(null, 2.0, false, true, null);

    assertThat(sweep(days, pi, Instant.now()).dropped()).isEmpty();
    assertThat(sweep(days, pi, LATER).dropped()).hasSize(2);
  }

  @Test
  void labelledEntriesAreKeptIfTheRulesSaySo() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    pi.entry("\"type\":\"label\",\"targetId\":\"" + first + "\",\"label\":\"good\"");
    String labelled = pi.points().at(first);

    sweep(new Retention(0L, null, true, true, null), pi, LATER);
    assertThat(kept()).contains(labelled);
    sweep(NONE_KEPT, pi, LATER);
    assertThat(kept()).doesNotContain(labelled);
  }

  @Test
  void r1SnapshotsOfOtherSessionsStay() throws IOException {
    FakePi other = FakePi.in(repo);
    String theirs = other.prompt(write("theirs"));
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    pi.prompt(write("v3"));
    Set<String> needed = new HashSet<>(other.points().bindings().distinct());

    assertThat(sweep(NONE_OF_MINE, pi, LATER).dropped()).isNotEmpty();
    assertThat(kept()).containsAll(needed);
    other.tree(theirs, RestoreMenu.Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v0");
  }

  @Test
  void r1WhatAForkNeedsStays() throws IOException {
    pi.prompt(write("v1"));
    String second = pi.prompt(write("v2"));
    FakePi child = pi.fork(second, RestoreMenu.Option.CONVERSATION_ONLY);
    child.prompt(write("v3"));
    Set<String> needed = new HashSet<>(child.points().bindings().distinct());
    pi.prompt(write("v4"));
    pi.prompt(write("v5"));
    pi.prompt(write("v6"));

    assertThat(sweep(NONE_OF_MINE, pi, LATER).dropped()).isNotEmpty();
    assertThat(kept()).containsAll(needed);
  }

  @Test
  void r2SnapshotsOfOtherWorktreesStay() throws IOException {
    if (repo.isGit()) {
      repo.git("add", "-A");
      repo.gitAs("commit", "-qm", "x");
      repo.git("worktree", "add", "-q", "../linked");
    } else {
      Files.createDirectories(repo.root().resolveSibling("linked"));
    }
    Repo linked = repo.at(repo.root().resolveSibling("linked"));
    linked.write("f", "linked");
    Snapshot theirs = linked.capture();
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));

    assertThat(sweep(NONE_KEPT, pi, LATER).dropped()).isNotEmpty();
    assertThat(linked.rewind().snapshots()).extracting(Snapshot::commit).contains(theirs.commit());
  }

  @Test
  void r3SnapshotsOfARunningPromptStay() throws IOException {
    FakePi other = FakePi.in(repo);
    other.began();
    String user = other.message("user");
    repo.write("f", "other");
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));

    sweep(NONE_KEPT, pi, LATER);

    other.turn(write("v3"));
    other.ended();
    other.open("resume");
    other.tree(user, RestoreMenu.Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v0");
  }

  @Test
  void r3WhatNoSessionNamesYetMayBeOfAPromptAndStaysADay() throws IOException {
    repo.write("f", "another tool's");
    Snapshot theirs = repo.capture();
    repo.write("f", "mine");
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));

    sweep(NONE_KEPT, pi, Instant.now());
    assertThat(kept()).contains(theirs.commit());
    sweep(NONE_KEPT, pi, LATER);
    assertThat(kept()).doesNotContain(theirs.commit());
  }

  @Test
  void aSessionThatCannotBeReadKeepsEverything() throws IOException {
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    Files.createSymbolicLink(folder.resolve("sessions/x.jsonl"), Path.of("away"));
    int before = kept().size();

    SnapshotSweep.Result result = sweep(NONE_KEPT, pi, LATER);
    assertThat(result.why()).contains("x.jsonl");
    assertThat(result.dropped()).isEmpty();
    assertThat(kept()).hasSize(before);
  }

  @Test
  void whatADamagedLineNamesStays() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    String needed = pi.points().at(first);
    Files.writeString(
        folder.resolve("sessions/damaged.jsonl"),
        "{\"type\":\"session\",\"id\":\"x\"}\n{\"customType\":\"rewind-turn\",\"snapshots\":[\""
            + needed
            + "\"",
        StandardOpenOption.CREATE);

    sweep(NONE_KEPT, pi, LATER);
    assertThat(kept()).contains(needed);
  }

  @Test
  void whatAMarkOfALaterVersionNamesStays() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    pi.prompt(write("v3"));
    String needed = pi.points().at(first);
    Files.writeString(
        folder.resolve("sessions/later.jsonl"),
        "{\"type\":\"session\",\"version\":3,\"id\":\"x\",\"cwd\":\"/\"}\n"
            + "{\"type\":\"custom\",\"customType\":\"rewind-turn\",\"data\":{\"v\":3,\"of\":{\"a\":\""
            + needed
            + "\"}},\"id\":\"m1\",\"parentId\":null}\n");

    assertThat(sweep(NONE_KEPT, pi, LATER).dropped()).isNotEmpty();
    assertThat(kept()).contains(needed);
  }

  @Test
  void anEmptySetOfLiveSnapshotsLeavesTheRefAlone() throws IOException {
    repo.capture();
    Files.delete(repo.archive().folder().resolve("last"));
    Files.delete(pi.file);

    SnapshotSweep.Result result =
        new SnapshotSweep(repo.rewind(), NONE_KEPT, LATER, () -> false)
            .run(new SourceFolder(List.of(), List.of()), null, Set.of(), false);
    assertThat(result.why()).contains("no snapshot would be left");
    assertThat(kept()).hasSize(1);
  }

  @Test
  void aSweepThatRunsOutOfTimeOrIsATrialLeavesEverything() throws IOException {
    pi.prompt(write("v1"));
    pi.prompt(write("v2"));
    Set<String> before = kept();

    assertThat(
            new SnapshotSweep(repo.rewind(), NONE_KEPT, LATER, () -> true)
                .run(sessions(), pi.file, Set.of(), false)
                .why())
        .contains("time");
    assertThat(
            new SnapshotSweep(repo.rewind(), NONE_KEPT, LATER, () -> false)
                .run(sessions(), pi.file, Set.of(), true)
                .dropped())
        .isNotEmpty();
    assertThat(kept()).isEqualTo(before);
  }

  @Test
  void undoWorksAfterASweep() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.tree(first, RestoreMenu.Option.RESTORE);
    pi.prompt(write("v2"));

    sweep(NONE_KEPT, pi, LATER);
    pi.tree(pi.leaf, RestoreMenu.Option.UNDO);
    assertThat(repo.read("f")).isEqualTo("v1");
  }
}
