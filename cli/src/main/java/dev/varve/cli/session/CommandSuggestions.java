// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/// The suggestions for a word that is no command or no option: the command that people mean by the
/// word, else the words that differ from it by a slip of the fingers.
public final class CommandSuggestions {

  /// The words that people type for a command of another name.
  private static final Map<String, String> SYNONYMS =
      Map.ofEntries(
          Map.entry("add", "append"),
          Map.entry("branch", "fork"),
          Map.entry("checkpoint", "rewind"),
          Map.entry("create", "new"),
          Map.entry("delete", "erase"),
          Map.entry("find", "search"),
          Map.entry("fsck", "check"),
          Map.entry("get", "cat"),
          Map.entry("graph", "log --graph"),
          Map.entry("grep", "search"),
          Map.entry("history", "log"),
          Map.entry("info", "stats"),
          Map.entry("init", "new"),
          Map.entry("list", "contexts"),
          Map.entry("ls", "contexts"),
          Map.entry("remove", "erase"),
          Map.entry("restore", "rewind restore"),
          Map.entry("rm", "erase"),
          Map.entry("server", "serve"),
          Map.entry("snapshot", "rewind capture"),
          Map.entry("start", "serve"),
          Map.entry("status", "stats"),
          Map.entry("tree", "log --graph"),
          Map.entry("undo", "rewind undo"),
          Map.entry("verify", "check"),
          Map.entry("version", "--version"),
          Map.entry("web", "ui"),
          Map.entry("workbench", "ui"));

  private CommandSuggestions() {}

  /// The command that people mean by `word`, else those of `known` that are near.
  static List<String> ofCommand(String word, Collection<String> known) {
    String meant = SYNONYMS.get(word);
    return meant != null ? List.of(meant) : near(word, known);
  }

  /// Finds the words of `known` that begin with `word` or differ from it in one letter, or in two
  /// where the word is long.
  public static List<String> near(String word, Collection<String> known) {
    int bound = word.length() < 5 ? 1 : 2;
    return known.stream()
        .filter(
            each ->
                (word.length() > 2 && each.startsWith(word))
                    || distance(word, each) <= Math.min(bound, each.length() - 1))
        .sorted()
        .limit(3)
        .toList();
  }

  /// Counts the letters that have to be put in, left out, replaced or swapped with their neighbour.
  private static int distance(String one, String other) {
    int[][] cost = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        cost[i][j] =
            Math.min(
                cost[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[one.length()][other.length()];
  }
}
