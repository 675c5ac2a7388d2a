// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/// A search for many words in one pass over a text (Aho and Corasick, *Efficient string matching*,
/// 1975). Upper and lower case of ASCII letters are the same.
final class KeywordSearch {

  /// Receives each occurrence of a word: the word's index and the offset behind its end.
  interface Taker {
    void take(int word, int end);
  }

  private static final int ASCII = 128;

  /// A bit of a step: a word ends in the next state.
  private static final int ENDS = 1 << 31;

  /// For each character, its column of the table. Characters that are in no word share the first
  /// column, so the table of some thousand states fits into a processor's cache.
  private final byte[] columns = new byte[ASCII];

  private final int columnCount;

  /// For each state and column, the offset of the next state's columns, and [#ENDS].
  private final int[] next;

  /// For each state, the words that end in the state.
  private final int[][] ends;

  /// @param words in lower case, ASCII
  KeywordSearch(List<String> words) {
    List<int[]> states = new ArrayList<>();
    List<List<Integer>> found = new ArrayList<>();
    BitSet used = new BitSet();
    states.add(new int[ASCII]);
    found.add(new ArrayList<>());
    for (int word = 0; word < words.size(); word++) {
      int state = 0;
      for (char c : words.get(word).toCharArray()) {
        if (c >= ASCII) {
          throw new IllegalArgumentException("'" + words.get(word) + "' is not ASCII");
        }
        used.set(c);
        if (states.get(state)[c] == 0) {
          states.get(state)[c] = states.size();
          states.add(new int[ASCII]);
          found.add(new ArrayList<>());
        }
        state = states.get(state)[c];
      }
      found.get(state).add(word);
    }
    completed(states, found);
    int column = 1;
    for (int c = used.nextSetBit(0); c >= 0; c = used.nextSetBit(c + 1)) {
      columns[c] = (byte) column++;
    }
    for (int c = 'A'; c <= 'Z'; c++) {
      columns[c] = columns[c + 32];
    }
    columnCount = column;
    ends = new int[states.size()][];
    for (int state = 0; state < states.size(); state++) {
      ends[state] = found.get(state).stream().mapToInt(Integer::intValue).toArray();
    }
    next = new int[Math.multiplyExact(states.size(), columnCount)];
    for (int state = 0; state < states.size(); state++) {
      for (int c = used.nextSetBit(0); c >= 0; c = used.nextSetBit(c + 1)) {
        int to = states.get(state)[c];
        next[state * columnCount + columns[c]] =
            to * columnCount | (ends[to].length == 0 ? 0 : ENDS);
      }
    }
  }

  /// Gives each state a step for every character: to the longest suffix that begins a word.
  private static void completed(List<int[]> states, List<List<Integer>> found) {
    int[] fallback = new int[states.size()];
    BitSet seen = new BitSet();
    Deque<Integer> waiting = new ArrayDeque<>(List.of(0));
    seen.set(0);
    while (!waiting.isEmpty()) {
      int state = waiting.remove();
      for (int c = 0; c < ASCII; c++) {
        int to = states.get(state)[c];
        int otherwise = state == 0 ? 0 : states.get(fallback[state])[c];
        if (to == 0 || seen.get(to)) {
          states.get(state)[c] = to == 0 ? otherwise : to;
          continue;
        }
        seen.set(to);
        fallback[to] = otherwise;
        found.get(to).addAll(found.get(otherwise));
        waiting.add(to);
      }
    }
  }

  void find(String text, Taker taker) {
    int at = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int step = next[at + (c < ASCII ? columns[c] : 0)];
      at = step & ~ENDS;
      if (step < 0) {
        for (int word : ends[at / columnCount]) {
          taker.take(word, i + 1);
        }
      }
    }
  }
}
