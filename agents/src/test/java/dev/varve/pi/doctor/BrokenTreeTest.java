// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions whose entries name no parents, wrong parents or each other.
class BrokenTreeTest {

  @TempDir Path folder;

  private Patient patient(SessionText text) throws IOException {
    return Patient.of(folder, text);
  }

  @Test
  void differentEntriesWithOneIdAreBothKept() throws IOException {
    Patient patient =
        patient(
            SessionText.headed()
                .user("a", null, "root")
                .user("x", "a", "first")
                .user("b", "x", "below")
                .user("x", "a", "second"));

    assertThat(patient.finding(SessionProblem.SAME_ID).line()).isEqualTo(3);
    assertThat(patient.copyLines()).hasSize(5);
    assertThat(patient.copyLines().get(2)).contains("first").doesNotContain("\"id\":\"x\"");
    assertThat(patient.copyLines().get(4)).isEqualTo(SessionText.entry("x", "a", "second"));
    assertThat(patient.after().counts())
        .as("b stands before its parent")
        .containsOnlyKeys(SessionProblem.PARENT_LATER);
  }

  @Test
  void twoEntriesWithOneIdThatGoInACircleAreOpened() throws IOException {
    Patient patient =
        patient(
            SessionText.headed()
                .user("a", null, "root")
                .user("x", "a", "first")
                .user("b", "x", "below")
                .user("x", "b", "again"));

    assertThat(patient.found().counts())
        .containsKeys(SessionProblem.SAME_ID, SessionProblem.CIRCLE);
    assertThat(patient.after().healthy()).isTrue();
    assertThat(patient.after().entries()).isEqualTo(4);
  }

  @Test
  void aCircleOfTheFirstEntriesBeginsWithARoot() throws IOException {
    Patient patient = patient(SessionText.headed().user("a", "b", "x").user("b", "a", "y"));

    assertThat(patient.finding(SessionProblem.CIRCLE).line()).isEqualTo(2);
    assertThat(patient.copyLines().get(1)).contains("\"id\":\"a\",\"parentId\":null");
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void anOrphanFollowsTheEntryBeforeIt() throws IOException {
    Patient patient = patient(SessionText.three().user("d", "gone", "lost").user("e", "d", "on"));

    assertThat(patient.finding(SessionProblem.ORPHAN).detail())
        .isEqualTo("parent gone; would follow line 4");
    assertThat(patient.copyLines().get(4)).isEqualTo(SessionText.entry("d", "c", "lost"));
    assertThat(patient.after().counts()).isEmpty();
  }

  @Test
  void aForkLearnsItsParentsFromTheSessionItWasForkedFrom() throws IOException {
    SessionText original =
        SessionText.headed("parent")
            .user("a", null, "x")
            .user("b", "a", "y")
            .line("{\"type\":\"label\",\"id\":\"l\",\"parentId\":\"a\",\"targetId\":\"a\"}")
            .user("c", "l", "z");
    original.write(folder.resolve("parent.jsonl"));
    SessionText fork =
        new SessionText()
            .line(
                "{\"type\":\"session\",\"version\":3,\"id\":\"f\",\"timestamp\":\"2026-11-27T20:37:22Z\",\"cwd\":\"/\","
                    + "\"parentSession\":\"/nowhere/parent.jsonl\"}")
            .user("a", null, "x")
            .user("b", "a", "y")
            .user("c", "l", "z");

    Patient patient = patient(fork);

    assertThat(patient.finding(SessionProblem.ORPHAN_AFTER_FORK).detail())
        .contains("would follow line 2")
        .contains("as in the session that it was forked from");
    assertThat(patient.copyLines().get(3)).contains("\"id\":\"c\",\"parentId\":\"a\"");
    Files.delete(folder.resolve("parent.jsonl"));
    assertThat(patient(fork).finding(SessionProblem.ORPHAN_AFTER_FORK).detail())
        .as("a guess, when it is not at hand")
        .endsWith("would follow line 3");
  }
}
