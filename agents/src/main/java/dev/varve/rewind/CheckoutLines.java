// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The lines of a snapshot's message that describe the repositories inside: written by [#write],
/// read one after the other by [#add].
final class CheckoutLines {

  static final String REPOSITORY = "Repository";
  static final String SPARSE = "Sparse-In";
  static final String EXCLUDE = "Exclude-In";
  private static final String NONE = "-";
  private static final String COMMIT = NONE + "|[0-9a-f]{40}|[0-9a-f]{64}";

  private final SortedMap<RepoPath, Checkout> found = new TreeMap<>();
  private boolean any;

  /// Reads one line.
  ///
  /// @throws StoreException.Invalid if the line is damaged
  void add(String name, String value) {
    any = true;
    String[] words = value.split(" ", -1);
    switch (name) {
      case REPOSITORY -> {
        demand(words.length == 3 && words[0].matches(COMMIT) && !words[2].isEmpty(), value);
        String branch = words[1].equals(NONE) ? "" : RepoPath.parse(words[1]).toString();
        String commit = words[0].equals(NONE) ? "" : words[0];
        found.put(RepoPath.parse(words[2]).asFolder(), new Checkout(branch, commit, false, ""));
      }
      case SPARSE ->
          found.computeIfPresent(
              RepoPath.parse(words[0]),
              (_, c) -> new Checkout(c.branch(), c.commit(), true, c.excludes()));
      case EXCLUDE -> {
        demand(words.length == 2, value);
        String pattern = RepoPath.parse(words[1]) + "\n";
        found.computeIfPresent(
            RepoPath.parse(words[0]),
            (_, c) -> new Checkout(c.branch(), c.commit(), c.sparse(), c.excludes() + pattern));
      }
      default -> {} // how many there are
    }
  }

  private static void demand(boolean whole, String value) {
    if (!whole) {
      throw new StoreException.Invalid("a snapshot's metadata", "of a repository: " + value);
    }
  }

  /// The repositories that were read; empty if there were no lines about repositories.
  Optional<SortedMap<RepoPath, Checkout>> read() {
    return any ? Optional.of(found) : Optional.empty();
  }

  /// Adds the lines of one repository to `text`.
  static void write(RepoPath path, Checkout checkout, StringBuilder text) {
    String place = path.escaped();
    String head = checkout.commit().isEmpty() ? NONE : checkout.commit();
    String on = checkout.branch().isEmpty() ? NONE : RepoPath.of(checkout.branch()).escaped();
    line(text, REPOSITORY, head + " " + on + " " + place);
    if (checkout.sparse()) {
      line(text, SPARSE, place);
    }
    checkout
        .excludes()
        .lines()
        .forEach(pattern -> line(text, EXCLUDE, place + " " + RepoPath.of(pattern).escaped()));
  }

  /// Adds one line to a snapshot's message.
  static void line(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value).append('\n');
  }
}
