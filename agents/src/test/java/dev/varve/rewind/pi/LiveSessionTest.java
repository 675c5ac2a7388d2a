// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.rewind.Repo;
import dev.varve.rewind.pi.RestoreMenu.Option;
import dev.varve.rewind.pi.RestoreMenu.Place;
import dev.varve.rewind.pi.SessionNavigation.Chosen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions and the files they belong to. The letters are those of a list of defects found in
/// another tool of this kind.
final class LiveSessionTest {

  @TempDir Path folder;
  private Repo repo;
  private FakePi pi;

  @BeforeEach
  void makeASession() throws IOException {
    repo = Repo.in(folder).write("f", "v0");
    pi = FakePi.in(repo);
  }

  private FakePi.Edit write(String text) {
    return () -> repo.write("f", text);
  }

  private static List<Option> options(RestoreMenu menu) {
    return menu.options().stream().map(RestoreMenu.Offer::option).toList();
  }

  @Test
  void d1EveryPromptIsBoundToTheFilesBeforeIt() throws IOException {
    List<String> prompts =
        List.of(pi.prompt(write("v1")), pi.prompt(write("v2")), pi.prompt(write("v3")));

    for (int i = 2; i >= 0; i--) {
      assertThat(options(pi.forkMenu(prompts.get(i))))
          .containsSubsequence(Option.CONVERSATION_ONLY, Option.RESTORE_ALL, Option.CODE_ONLY);
      pi.fork(prompts.get(i), Option.RESTORE_ALL);
      assertThat(repo.read("f")).isEqualTo("v" + i);
    }
  }

  @Test
  void d1WhatIsWrittenIsWhatTheReferenceReads() throws IOException {
    String user = pi.prompt(write("v1"));

    List<String> marks =
        Files.readAllLines(pi.file).stream().filter(l -> l.contains("rewind-turn")).toList();
    assertThat(marks).hasSize(1);
    assertThat(marks.getFirst())
        .contains("\"customType\":\"rewind-turn\"")
        .containsPattern(
            "\"data\":\\{\"v\":2,\"snapshots\":\\[\"[0-9a-f]{40}\",\"[0-9a-f]{40}\"\\],"
                + "\"bindings\":\\[\\[\""
                + user
                + "\",0\\],\\[\"[0-9a-f]{8}\",1\\]\\]");
  }

  @Test
  void d2CodeOnlyKeepsTheConversation() throws IOException {
    pi.prompt(write("v1"));
    String second = pi.prompt(write("v2"));
    String before = pi.leaf;

    Chosen chosen = pi.moves.choose(Place.FORK, second, Option.CODE_ONLY, pi.leaf);
    pi.did(chosen.reply());

    assertThat(chosen.cancel()).isTrue();
    assertThat(repo.read("f")).isEqualTo("v1");
    assertThat(pi.log().find(pi.leaf).parent()).isEqualTo(before);
    assertThat(pi.log().find(pi.leaf).mark()).isInstanceOf(SessionMark.Op.class);
  }

  @Test
  void d3AKilledRunLosesItsRunningTurnAndNoMore() throws IOException {
    pi.began();
    String user = pi.message("user");
    String first = pi.turn(write("v1"));
    pi.message("assistant");
    repo.write("f", "half of v2");

    pi.open("resume");

    assertThat(pi.points().at(user)).isNotNull();
    assertThat(pi.points().at(first)).isNotNull();
    pi.tree(first, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v1");
    pi.tree(user, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v0");
  }

  @Test
  void d3APromptThatWasKilledInItsFirstTurnIsBoundWhenTheSessionIsOpenedAgain() throws IOException {
    pi.prompt(write("v1"));
    pi.began();
    String user = pi.message("user");
    repo.write("f", "half of v2");

    pi.open("startup");

    pi.tree(user, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v1");
  }

  @Test
  void aProcessThatIsKilledAndStartedAgainInTheMiddleOfARunBindsAllTheSame() throws IOException {
    pi.began();
    String user = pi.message("user");
    pi.open("restart");
    String said = pi.turn(write("v1"));
    pi.open("restart");
    String steered = pi.message("user");
    pi.turn(write("v2"));
    pi.ended();

    assertThat(pi.points().at(user)).isNotEqualTo(pi.points().at(said));
    assertThat(pi.points().at(steered)).isEqualTo(pi.points().at(said));
  }

  @Test
  void d4ACloneIsNotAskedAbout() throws IOException {
    pi.prompt(write("v1"));

    assertThat(pi.moves.fork(pi.leaf, true, pi.leaf).ask()).isFalse();
    FakePi clone = pi.copy(pi.leaf);
    assertThat(clone.points().count()).isEqualTo(2);
  }

  @Test
  void d5SteeredAndQueuedMessagesAreBoundToTheFilesBetweenTheTurns() throws IOException {
    pi.began();
    pi.message("user");
    pi.turn(write("v1"));
    String steered = pi.message("user");
    pi.turn(write("v2"));
    String queued = pi.message("user");
    pi.turn(write("v3"));
    pi.ended();

    pi.tree(steered, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v1");
    pi.tree(queued, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v2");
  }

  @Test
  void d5WhatFollowsAPointStandsForItUnlessFilesMayHaveChangedBetween() throws IOException {
    String user = pi.prompt(write("v1"));
    SessionEntry result =
        pi.log().entries().stream()
            .filter(entry -> entry.kind() == dev.varve.pi.session.EntryKind.TOOL_RESULT)
            .findFirst()
            .orElseThrow();
    String said = pi.entry("\"type\":\"custom_message\",\"customType\":\"x\",\"content\":\"\"");
    String shell = pi.message("bashExecution");
    String after = pi.entry("\"type\":\"custom_message\",\"customType\":\"x\",\"content\":\"\"");

    String end = pi.points().at(pi.log().find(result.parent()).id());
    assertThat(pi.points().at(result.id())).isEqualTo(end).isNotEqualTo(pi.points().at(user));
    assertThat(pi.points().at(said)).isEqualTo(end);
    assertThat(pi.points().at(shell)).isNull();
    assertThat(pi.points().at(after)).isNull();
  }

  @Test
  void d6WhatWasSeenTooLateIsNotBound() throws IOException {
    pi.began();
    String user = pi.message("user");
    String said = pi.message("assistant");
    repo.write("f", "v1");
    pi.declare();
    pi.did(pi.live.turnEnd(pi.leaf, said, true));

    assertThat(pi.points().at(user)).isNull();
    assertThat(pi.points().at(said)).isNotNull();
  }

  @Test
  void aSecondTryOfTheProviderDoesNotMoveAPoint() throws IOException {
    pi.began();
    String user = pi.message("user");
    pi.turn(write("v1"));
    pi.ended();
    String bound = pi.points().at(user);
    pi.did(pi.live.turnStart(pi.leaf));
    pi.turn(write("v2"));
    pi.ended();

    assertThat(pi.points().at(user)).isEqualTo(bound);
  }

  @Test
  void aTurnThatBeganByItselfIsPreceededBySnapshot() throws IOException {
    pi.prompt(write("v1"));
    repo.write("f", "by hand");
    pi.declare();
    pi.did(pi.live.turnStart(pi.leaf));
    String user = pi.message("user");
    pi.turn(write("v2"));
    pi.ended();

    pi.tree(user, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("by hand");
  }

  @Test
  void aRunThatBrokeOffBeforeTheAgentSaidAnythingStillBindsItsPrompt() throws IOException {
    pi.began();
    String user = pi.message("user");
    pi.ended();

    assertThat(pi.points().at(user)).isNotNull();
  }

  @Test
  void aForkTakesOverWhereTheFilesStandAndKnowsItsParentsPoints() throws IOException {
    String first = pi.prompt(write("v1"));
    String second = pi.prompt(write("v2"));

    FakePi child = pi.fork(second, Option.RESTORE_ALL);
    FakePi grandchild = child.fork(child.prompt(write("v3")), Option.CONVERSATION_ONLY);

    assertThat(pi.log().find(pi.leaf).mark()).isInstanceOf(SessionMark.ForkPending.class);
    SessionMark.Op op =
        (SessionMark.Op)
            child.log().entries().stream()
                .map(SessionEntry::mark)
                .filter(mark -> mark instanceof SessionMark.Op)
                .findFirst()
                .orElseThrow();
    assertThat(op.undo()).isNotNull();
    assertThat(op.current()).isEqualTo(pi.points().at(second));
    assertThat(grandchild.points().at(first)).isEqualTo(pi.points().at(first));
    assertThat(repo.read("f")).isEqualTo("v3");
    grandchild.tree(first, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v0");
  }

  @Test
  void pointsOfAParentWhoseEntriesWereNotCopiedAreKnown() throws IOException {
    String first = pi.prompt(write("v1"));
    FakePi child = pi.fork(first, Option.CONVERSATION_ONLY);

    assertThat(child.log().find(first)).isNull();
    assertThat(child.points().at(first)).isEqualTo(pi.points().at(first));
  }

  @Test
  void parentsThatGoInACircleOrAreLostEndTheLineAndAreTold() throws IOException {
    Path a = folder.resolve("a.jsonl");
    Path b = folder.resolve("b.jsonl");
    String header =
        "{\"type\":\"session\",\"version\":3,\"id\":\"x\",\"cwd\":\"/\",\"parentSession\":\"%s\"}\n";
    Files.writeString(a, String.format(header, b));
    Files.writeString(b, String.format(header, a));

    assertThat(SessionLineage.of(a, b.toString()).broken()).contains("each other's parents");
    assertThat(SessionLineage.of(a, folder.resolve("c.jsonl").toString()).broken())
        .contains("cannot be read");
    assertThat(SessionLineage.of(a, "\0").broken()).contains("cannot be read");
  }

  @Test
  void c1AfterARewindTheFilesGoOnStandingWhereTheTurnsLeaveThem() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.tree(first, Option.RESTORE);
    pi.prompt(write("v3"));
    pi.declare();

    String compaction = pi.entry("\"type\":\"compaction\",\"summary\":\"\"");
    pi.declare();
    pi.did(pi.live.compacted(compaction, pi.leaf));
    repo.write("f", "other");
    pi.tree(compaction, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v3");
  }

  @Test
  void c2ACompactionStandsForTheFilesAsTheyAre() throws IOException {
    pi.prompt(write("v1"));
    repo.write("f", "manual");
    String compaction = pi.entry("\"type\":\"compaction\",\"summary\":\"\"");
    pi.declare();
    pi.did(pi.live.compacted(compaction, pi.leaf));
    repo.write("f", "other");

    pi.tree(compaction, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("manual");
  }

  @Test
  void c3OneTreeHasOneSnapshotAlsoAfterARewind() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.tree(first, Option.RESTORE);
    String a = pi.prompt();
    String b = pi.prompt();

    assertThat(pi.points().at(a)).isEqualTo(pi.points().at(b)).isEqualTo(pi.points().at(first));
  }

  @Test
  void aSummaryOfABranchStandsForTheFilesThatWereThereWhenItWasMade() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.declare();
    pi.did(pi.moves.choose(Place.TREE, first, Option.KEEP, pi.leaf).reply());
    pi.leaf = null;
    String summary = pi.entry("\"type\":\"branch_summary\",\"summary\":\"\"");
    pi.declare();
    pi.did(pi.moves.arrived(summary, pi.leaf));
    repo.write("f", "other");

    pi.tree(summary, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v1");
  }

  @Test
  void aRestoreThatFailsKeepsPiWhereItIs() throws IOException {
    String first = pi.prompt(write("v1"));
    Map<?, ?> files = repo.files();
    pi.declare();

    String snapshot = pi.points().at(first);
    repo.git("update-ref", "-d", "refs/pi-rewind/store");
    for (String object : repo.git("rev-parse", snapshot + "^{tree}").lines().toList()) {
      Files.delete(repo.path(".git/objects/" + object.substring(0, 2) + "/" + object.substring(2)));
    }
    Chosen chosen = pi.moves.choose(Place.FORK, first, Option.RESTORE_ALL, pi.leaf);

    assertThat(chosen.cancel()).isTrue();
    assertThat(chosen.reply().notices())
        .singleElement()
        .matches(n -> n.level() == SessionReply.Level.ERROR);
    assertThat(repo.files()).isEqualTo(files);
  }

  @Test
  void aFileThatIsNotCapturedIsToldOnce() throws IOException {
    repo.write("vendor/x", "1").write("vendor/.git", "gitdir: ../nowhere\n");
    assertThat(pi.began().notices()).singleElement().matches(n -> n.text().contains("vendor"));
    pi.ended();
    assertThat(pi.began().notices()).isEmpty();
  }

  @Test
  void aSessionThatIsDamagedGoesOn() throws IOException {
    String user = pi.prompt(write("v1"));
    Files.writeString(
        pi.file,
        "garbage\n"
            + "{\"type\":\"custom\",\"customType\":\"rewind-turn\",\"data\":{\"v\":2,\"snapshots\":"
            + "[\"--help\",7],\"bindings\":[[\""
            + user
            + "\",0],[7,1],[\"x\",99],\"y\"]},\"id\":\"zz\",\"parentId\":\"zz\"}\n",
        java.nio.file.StandardOpenOption.APPEND);

    pi.open("resume");
    assertThat(pi.points().at(user)).isNotNull();
    assertThat(pi.points().at("zz")).isNull();
    assertThat(pi.log().damagedPieces()).isEqualTo(1);
  }
}
