// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The credentials of a session, each with the words that stand in its place. Where one was found
/// once, it is found everywhere, whatever stands beside it.
final class KnownSecrets {

  /// Shorter ones may be words: they are replaced only where a rule sees them.
  private static final int ANYWHERE_MIN = 8;

  private static final int COUNT_MAX = 100_000;

  /// By how many characters a text is looked through for them.
  private static final int BEGINNING = 12;

  private final Map<String, String> marks = new LinkedHashMap<>();
  private final List<String> anywhere = new ArrayList<>();
  private @Nullable Keywords beginnings;
  private List<List<String>> byBeginning = List.of();

  /// The words for a credential. Numbers stay the same within a session, so that two places with
  /// one credential can be told from two with two.
  String mark(String secret, String rule) {
    String known = marks.get(secret);
    if (known != null) {
      return known;
    }
    if (marks.size() == COUNT_MAX) {
      throw new StoreException.TooLarge("credentials of one session", COUNT_MAX + 1L, COUNT_MAX);
    }
    String mark = "[redacted " + rule + " " + (marks.size() + 1) + "]";
    marks.put(secret, mark);
    if (secret.length() >= ANYWHERE_MIN && secret.chars().allMatch(c -> c < 0x80)) {
      anywhere.add(secret);
      beginnings = null;
    }
    return mark;
  }

  int count() {
    return marks.size();
  }

  /// A known credential in a text.
  record Place(int from, int to, String mark) {}

  List<Place> find(String text) {
    if (anywhere.isEmpty()) {
      return new ArrayList<>();
    }
    Keywords words = beginnings == null ? compiled() : beginnings;
    List<Place> places = new ArrayList<>();
    words.find(
        text,
        (word, end) -> {
          for (String secret : byBeginning.get(word)) {
            int from = end - Math.min(BEGINNING, secret.length());
            if (text.startsWith(secret, from)) {
              places.add(
                  new Place(from, from + secret.length(), marks.getOrDefault(secret, "")));
            }
          }
        });
    return places;
  }

  private Keywords compiled() {
    Map<String, List<String>> grouped = new LinkedHashMap<>();
    for (String secret : anywhere) {
      String beginning =
          secret.substring(0, Math.min(BEGINNING, secret.length())).toLowerCase(Locale.ROOT);
      grouped.computeIfAbsent(beginning, _ -> new ArrayList<>()).add(secret);
    }
    byBeginning = List.copyOf(grouped.values());
    Keywords words = new Keywords(List.copyOf(grouped.keySet()));
    beginnings = words;
    return words;
  }
}
