// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.util.List;

/// The title of a session: the one it was given, else the one that was made for it, else how the
/// first prompt begins.
public final class TranscriptTitle {

  private static final int LENGTH_MAX = 200;

  private static final String GIVEN = "given";
  private static final String MADE = "made";

  private String given = "";
  private String made = "";
  private String prompt = "";

  /// Takes a title that a person gave. The last one counts.
  public void given(String title) {
    given = title.isBlank() ? given : title;
  }

  /// Takes a title that the agent made. The last one counts.
  public void made(String title) {
    made = title.isBlank() ? made : title;
  }

  /// Takes a prompt. The first one counts.
  public void prompt(String text) {
    prompt = prompt.isEmpty() ? text.strip() : prompt;
  }

  /// The state, from which [#resume] goes on: the title that counts so far, and its kind.
  public List<String> state() {
    return List.of(!given.isEmpty() ? GIVEN : !made.isEmpty() ? MADE : "", text());
  }

  /// Goes on from a state.
  public void resume(List<String> state) {
    if (state.size() == 2) {
      String title = state.getLast();
      given = state.getFirst().equals(GIVEN) ? title : "";
      made = state.getFirst().equals(MADE) ? title : "";
      prompt = state.getFirst().isEmpty() ? title : "";
    }
  }

  /// The title in one line; may be empty.
  public String text() {
    String chosen = !given.isEmpty() ? given : !made.isEmpty() ? made : prompt;
    String line = chosen.strip().lines().findFirst().orElse("").strip();
    int end =
        line.offsetByCodePoints(0, Math.min(LENGTH_MAX, line.codePointCount(0, line.length())));
    return line.substring(0, end);
  }
}
