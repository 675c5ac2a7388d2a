// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

/// The cutting of a text into the words by which it is found.
///
/// A word is a run of letters, digits and underscores, without accents and in small letters. Of an
/// identifier its parts are words too, at the place of the whole: `create` and `worktree` of
/// `createWorktree`. Text of Chinese, Japanese or Korean is cut into pairs of characters, with the
/// last character of a run by itself.
///
/// Only the first [#WORD_CHARS_MAX] characters of a word count. A run of at least [#DATA_CHARS_MIN]
/// characters as base64 has them is data and has no words, and a text has at most [#WORDS_MAX]
/// words.
public final class WordCutter {

  public static final int WORD_CHARS_MAX = 128;
  public static final int DATA_CHARS_MIN = 256;
  public static final int WORDS_MAX = 250_000;

  /// Receives words.
  @FunctionalInterface
  public interface Sink {

    /// @param folded the word as it is compared
    /// @param from where the word begins in the text
    /// @param to where the word ends in the text
    /// @param position the number of the word in the text; parts have that of their whole
    /// @param part whether this is a part of an identifier
    void word(String folded, int from, int to, int position, boolean part);
  }

  private final String text;
  private final boolean parts;
  private final Sink sink;
  private int position;

  private WordCutter(String text, boolean parts, Sink sink) {
    this.text = text;
    this.parts = parts;
    this.sink = sink;
  }

  /// Hands out the words of a text in their order.
  ///
  /// @param parts whether to hand out the parts of identifiers too
  public static void cut(String text, boolean parts, Sink sink) {
    new WordCutter(text, parts, sink).run();
  }

  private void run() {
    int i = 0;
    while (i < text.length() && position < WORDS_MAX) {
      int c = text.codePointAt(i);
      if (WordCharacters.isPaired(c)) {
        i = pairs(i);
      } else if (WordCharacters.isWord(c)) {
        int data = endOfData(i);
        i = data > i ? data : word(i);
      } else {
        i = c == 0x1b ? endOfEscape(i) : i + Character.charCount(c);
      }
    }
  }

  /// The end of a sequence that colours a terminal: its last letter belongs to no word.
  private int endOfEscape(int from) {
    int to = from + 1;
    if (to < text.length() && text.charAt(to) == '[') {
      to++;
      while (to < text.length() && text.charAt(to) >= 0x20 && text.charAt(to) < 0x40) {
        to++;
      }
      to = Math.min(text.length(), to + 1);
    }
    return to;
  }

  private int word(int from) {
    int to = from;
    while (to < text.length()) {
      int c = text.codePointAt(to);
      if (!WordCharacters.isWord(c) && !WordCharacters.isMark(c) || WordCharacters.isPaired(c)) {
        break;
      }
      to += Character.charCount(c);
    }
    int end = Math.min(to, from + WORD_CHARS_MAX);
    String whole = text.substring(from, end);
    String folded = WordFolding.fold(whole);
    if (!folded.isEmpty()) {
      sink.word(folded, from, to, position, false);
      if (parts) {
        IdentifierParts.each(
            whole,
            (partFrom, partTo) -> {
              String part = WordFolding.fold(whole.substring(partFrom, partTo));
              if (!part.isEmpty()) {
                sink.word(part, from + partFrom, from + partTo, position, true);
              }
            });
      }
      position++;
    }
    return to;
  }

  private int pairs(int from) {
    int before = from;
    int i = from + Character.charCount(text.codePointAt(from));
    while (i < text.length()
        && WordCharacters.isPaired(text.codePointAt(i))
        && position < WORDS_MAX) {
      int next = i + Character.charCount(text.codePointAt(i));
      sink.word(text.substring(before, next), before, next, position++, false);
      before = i;
      i = next;
    }
    boolean alone = before == from;
    if (alone || parts) { // of a longer run the pairs say all; the last one is for single queries
      sink.word(text.substring(before, i), before, i, position++, !alone);
    }
    return i;
  }

  /// The end of a run of data that begins at `from`; `from` if none does.
  private int endOfData(int from) {
    int to = from;
    int capitals = 0;
    int digits = 0;
    while (to < text.length() && WordCharacters.isData(text.charAt(to))) {
      char c = text.charAt(to++);
      capitals += c >= 'A' && c <= 'Z' ? 1 : 0;
      digits += c >= '0' && c <= '9' ? 1 : 0;
    }
    return to - from >= DATA_CHARS_MIN && capitals + digits > (to - from) / 8 ? to : from;
  }
}
