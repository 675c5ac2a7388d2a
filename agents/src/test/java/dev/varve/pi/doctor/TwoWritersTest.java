// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions to which two processes wrote, and sessions that only look so.
class TwoWritersTest {

  @TempDir Path folder;

  private Patient patient(SessionText text) throws IOException {
    return Patient.of(folder, text);
  }

  @Test
  void twoProcessesInOneFileAreNoticed() throws IOException {
    SessionText text =
        SessionText.headed()
            .user("a", null, "question")
            .user("b", "a", "of another process")
            .line(SessionText.answer("c", "a"))
            .line(SessionText.answer("d", "b"));

    Patient patient = patient(text);

    assertThat(patient.finding(SessionProblem.TWO_WRITERS).detail()).startsWith("2 times");
    assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
  }

  @Test
  void goingBackInTheTreeIsNotTheWorkOfTwoProcesses() throws IOException {
    SessionText text =
        SessionText.headed()
            .user("a", null, "question")
            .line(SessionText.answer("b", "a"))
            .user("c", "b", "one")
            .line(SessionText.answer("d", "c"))
            .user("e", "b", "two")
            .line(SessionText.answer("f", "e"))
            .user("g", "d", "back on one")
            .line(SessionText.answer("h", "g"));

    assertThat(patient(text).found().counts()).isEmpty();
  }

  @Test
  void aRunThatWentBackToItsPlaceInTheTreeIsNotTheWorkOfTwoProcesses() throws IOException {
    SessionText later =
        SessionText.headed()
            .user("a", null, "question")
            .user("b", "a", "tried something else")
            .line(
                SessionText.answer("c", "a")
                    .replace("\"stop\"", "\"stop\",\"timestamp\":1795811850000"));
    SessionText reordered =
        SessionText.headed()
            .user("a", null, "question")
            .user("b", "a", "written last, and moved up")
            .line(SessionText.answer("c", "a").replace(":22.033Z", ":20.033Z"));

    assertThat(patient(later).found().counts()).isEmpty();
    assertThat(patient(reordered).found().counts()).isEmpty();
  }

  @Test
  void twoProcessesThatTakeTurnsAreNoticed() throws IOException {
    SessionText text =
        SessionText.headed().user("a", null, "question").line(SessionText.answer("b", "a"));
    String[] ends = {"b", "b"};
    for (int turn = 0; turn < 4; turn++) {
      text.user("u" + turn, ends[turn % 2], "turn")
          .line(SessionText.answer("v" + turn, "u" + turn));
      ends[turn % 2] = "v" + turn;
    }

    Patient patient = patient(text);

    assertThat(patient.found().counts()).containsOnlyKeys(SessionProblem.TAKING_TURNS);
    assertThat(patient.found().healthy()).isFalse();
    assertThat(patient.copy()).hasSameBinaryContentAs(patient.file());
  }

  @Test
  void whoeverTriesSeveralWaysAndComesBackIsOneProcess() throws IOException {
    SessionText text =
        SessionText.headed().user("a", null, "question").line(SessionText.answer("b", "a"));
    String main = "b";
    for (int turn = 0; turn < 4; turn++) {
      text.user("u" + turn, main, "on").line(SessionText.answer("v" + turn, "u" + turn));
      text.user("x" + turn, main, "tried").line(SessionText.answer("y" + turn, "x" + turn));
      main = "v" + turn;
    }

    assertThat(patient(text).found().counts()).isEmpty();
  }

  @Test
  void aRecordBesideAnAnswerIsNamedForWhatItIs() throws IOException {
    String progress =
        "{\"type\":\"progress\",\"id\":\"p\",\"parentId\":\"a\","
            + "\"timestamp\":\"2026-11-27T20:37:23Z\"}";
    SessionText before =
        SessionText.headed()
            .user("a", null, "question")
            .line(progress)
            .line(SessionText.answer("b", "a"));
    SessionText behind =
        SessionText.headed()
            .user("a", null, "question")
            .line(SessionText.answer("b", "a"))
            .line(progress)
            .user("c", "p", "on");

    for (SessionText text : new SessionText[] {before, behind}) {
      assertThat(patient(text).found().counts())
          .containsOnlyKeys(SessionProblem.BESIDE_MESSAGE, SessionProblem.UNKNOWN_TYPE);
      assertThat(patient(text).found().healthy()).isFalse();
    }
  }
}
