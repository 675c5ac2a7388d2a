// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/// Finds, in one pass over a text, which of many words occur in it and where (Aho and Corasick,
/// *Efficient string matching*, 1975). Upper and lower case of ASCII are the same.
final class Keywords {

  /// Told of each word's end.
  interface Taker {
    void take(int word, int end);
  }

  private static final int ASCII = 128;

  /// For each state and character the next state.
  private final int[] next;

  /// For each state the words that end in it.
  private final int[][] ends;

  /// @param words in lower case, ASCII
  Keywords(List<String> words) {
    List<int[]> states = new ArrayList<>();
    List<List<Integer>> found = new ArrayList<>();
    states.add(new int[ASCII]);
    found.add(new ArrayList<>());
    for (int word = 0; word < words.size(); word++) {
      int state = 0;
      for (char c : words.get(word).toCharArray()) {
        if (c >= ASCII) {
          throw new IllegalArgumentException("'" + words.get(word) + "' is not ASCII");
        }
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
    next = new int[states.size() * ASCII];
    ends = new int[states.size()][];
    for (int state = 0; state < states.size(); state++) {
      System.arraycopy(states.get(state), 0, next, state * ASCII, ASCII);
      ends[state] = found.get(state).stream().mapToInt(Integer::intValue).toArray();
    }
  }

  /// Gives each state a step for every character, by the longest end of it that begins a word.
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

  void find(CharSequence text, Taker taker) {
    int state = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ASCII) {
        state = 0;
        continue;
      }
      state = next[state * ASCII + (c >= 'A' && c <= 'Z' ? c + 32 : c)];
      for (int word : ends[state]) {
        taker.take(word, i + 1);
      }
    }
  }
}
