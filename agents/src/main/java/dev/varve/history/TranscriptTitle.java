// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

/// The title of a session: the one it was given, else the one that was made for it, else how the
/// first prompt begins.
public final class TranscriptTitle {

  private static final int LENGTH_MAX = 200;

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

  /// The title in one line; may be empty.
  public String text() {
    String chosen = !given.isEmpty() ? given : !made.isEmpty() ? made : prompt;
    String line = chosen.strip().lines().findFirst().orElse("").strip();
    int end =
        line.offsetByCodePoints(0, Math.min(LENGTH_MAX, line.codePointCount(0, line.length())));
    return line.substring(0, end);
  }
}
