// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.rewind.pi.RestoreMenu.Option;
import dev.varve.rewind.pi.RestoreMenu.Place;
import dev.varve.rewind.pi.SessionNavigation.Chosen;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Undo and redo in sessions. The letters are those of docs/rewind-defects.md.
final class UndoTest extends InASession {

  private static List<Option> options(RestoreMenu menu) {
    return menu.options().stream().map(RestoreMenu.Offer::option).toList();
  }

  private String command(FakePi session, Option option) throws IOException {
    session.declare();
    session.did(session.moves.choose(Place.COMMAND, "", option, session.leaf).reply());
    return repo.read("f");
  }

  private boolean settle(boolean forward) throws IOException {
    Chosen settled = pi.moves.settle(forward, pi.leaf);
    pi.did(settled.reply());
    return settled.outcome() != null && settled.outcome().exact();
  }

  @Test
  void p2UndoGoesBackAnyNumberOfRewindsAndAcrossForks() throws IOException {
    String first = pi.prompt(write("v1"));
    String second = pi.prompt(write("v2"));
    FakePi child = pi.fork(second, Option.RESTORE_ALL);
    child.tree(first, Option.RESTORE);
    assertThat(repo.read("f")).isEqualTo("v0");

    assertThat(options(child.forkMenu(child.prompt()))).contains(Option.UNDO);
    Chosen chosen = child.tree(child.leaf, Option.UNDO);
    assertThat(chosen.cancel()).isFalse();
    assertThat(repo.read("f")).isEqualTo("v1");
    child.tree(child.leaf, Option.UNDO);
    assertThat(repo.read("f")).isEqualTo("v2");
    assertThat(options(child.forkMenu(child.leaf))).doesNotContain(Option.UNDO);
  }

  @Test
  void p2RedoGoesForwardAsFarAsUndoWentBackAndNoFurther() throws IOException {
    String first = pi.prompt(write("v1"));
    String second = pi.prompt(write("v2"));
    FakePi child = pi.fork(second, Option.RESTORE_ALL);
    child.tree(first, Option.RESTORE);

    assertThat(command(child, Option.UNDO)).isEqualTo("v1");
    assertThat(command(child, Option.UNDO)).isEqualTo("v2");
    assertThat(command(child, Option.REDO)).isEqualTo("v1");
    assertThat(command(child, Option.REDO)).isEqualTo("v0");
    assertThat(child.live.rewind().beforeLastUndo()).isEmpty();
  }

  @Test
  void p2AnUndoIsOfferedOnEveryBranchOfTheSession() throws IOException {
    String first = pi.prompt(write("v1"));
    String second = pi.prompt(write("v2"));
    String end = pi.leaf;
    pi.tree(second, Option.RESTORE);
    pi.tree(end, Option.KEEP);
    pi.tree(first, Option.KEEP);

    assertThat(options(pi.forkMenu(second))).contains(Option.UNDO);
    pi.tree(end, Option.UNDO);
    assertThat(repo.read("f")).isEqualTo("v2");
  }

  @Test
  void p2ARestoreThatBrokeOffAndWasFinishedIsUndoneToWhatWasBeforeIt() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.declare();
    repo.breakOff(pi.points().at(first));
    pi.open("restart");

    assertThat(options(pi.forkMenu(first))).containsExactly(Option.CONVERSATION_ONLY);
    assertThat(settle(true)).isTrue();
    assertThat(repo.read("f")).isEqualTo("v0");
    assertThat(command(pi, Option.UNDO)).isEqualTo("v1");
  }

  @Test
  void p2ARestoreThatBrokeOffAndWasTakenBackIsNothingToUndo() throws IOException {
    String first = pi.prompt(write("v1"));
    pi.declare();
    repo.breakOff(pi.points().at(first));
    repo.write("f", "v0"); // its one step
    pi.open("restart");

    assertThat(settle(false)).isTrue();
    assertThat(repo.read("f")).isEqualTo("v1");
    assertThat(options(pi.forkMenu(first))).doesNotContain(Option.UNDO);
  }

  @Test
  void restoresOfOtherSessionsAreNotUndoneByMistake() throws IOException {
    String user = pi.prompt(write("v1"));
    pi.tree(user, Option.RESTORE);

    assertThat(options(FakePi.in(repo).forkMenu("00000000")))
        .containsExactly(Option.CONVERSATION_ONLY);
  }
}
