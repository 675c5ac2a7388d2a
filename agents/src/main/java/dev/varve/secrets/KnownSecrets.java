// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The credentials of a file, each with its replacement. A credential that was found once is found
/// everywhere in the file, whatever text is around it.
public final class KnownSecrets {

  /// The shortest credential that is replaced wherever it stands; a shorter one may be a word.
  private static final int ANYWHERE_MIN = 8;

  private static final int COUNT_MAX = 100_000;

  private final Map<String, String> marks = new LinkedHashMap<>();

  /// The credentials by their first eight characters, as one number.
  private final Map<Long, List<String>> byBeginning = new HashMap<>();

  /// The hashes of these numbers, of 16 bits each: most texts are ruled out by this set.
  private final BitSet beginnings = new BitSet(1 << 16);

  /// The replacement of a credential. Each credential of a file has its own number, so a reader
  /// sees whether two places held the same credential.
  public String mark(String secret, String rule) {
    String known = marks.get(secret);
    if (known != null) {
      return known;
    }
    if (marks.size() == COUNT_MAX) {
      throw new StoreException.TooLarge("credentials of one file", COUNT_MAX + 1L, COUNT_MAX);
    }
    String mark = "[redacted " + rule + " " + (marks.size() + 1) + "]";
    marks.put(secret, mark);
    if (secret.length() >= ANYWHERE_MIN && secret.chars().allMatch(c -> c < 0x80)) {
      long beginning = 0;
      for (int i = 0; i < ANYWHERE_MIN; i++) {
        beginning = beginning << 8 | secret.charAt(i);
      }
      byBeginning.computeIfAbsent(beginning, _ -> new ArrayList<>()).add(secret);
      beginnings.set(hash(beginning));
    }
    return mark;
  }

  /// The number of different credentials.
  public int count() {
    return marks.size();
  }

  /// A known credential in a text.
  record Place(int from, int to, String mark) {}

  /// The known credentials in `text`, found in one pass (after Karp and Rabin, *Efficient
  /// randomized pattern-matching algorithms*, 1987).
  List<Place> find(String text) {
    List<Place> places = new ArrayList<>();
    if (byBeginning.isEmpty()) {
      return places;
    }
    long beginning = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      beginning = beginning << 8 | (c < 0x80 ? c : 0xff); // a byte that no credential has
      if (i >= ANYWHERE_MIN - 1 && beginnings.get(hash(beginning))) {
        int from = i + 1 - ANYWHERE_MIN;
        for (String secret : byBeginning.getOrDefault(beginning, List.of())) {
          if (text.startsWith(secret, from)) {
            places.add(new Place(from, from + secret.length(), marks.getOrDefault(secret, "")));
          }
        }
      }
    }
    return places;
  }

  private static int hash(long beginning) {
    return (int) (beginning * 0x9E3779B97F4A7C15L >>> 48);
  }
}
