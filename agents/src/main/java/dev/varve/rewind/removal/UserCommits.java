// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import dev.varve.git.Git;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The objects that a user's repository needs for itself: commits of branches, tags and stashes,
/// the indexes of worktrees, and the logs of refs.
final class UserCommits {

  private static final int NAMED_MAX = 20;
  private static final String OWN_REFS = "--exclude=refs/pi-rewind/*";

  private final Git git;

  UserCommits(Git git) {
    this.git = git;
  }

  /// The objects among `ids` that the user has, each with a commit and a ref for people.
  Map<String, String> among(Set<String> ids) {
    Map<String, String> places = new HashMap<>();
    if (!ids.isEmpty()) {
      Set<String> users = new HashSet<>();
      list(
          id -> {
            if (ids.contains(id)) {
              users.add(id);
            }
          },
          "--missing=allow-any",
          OWN_REFS);
      users.forEach(id -> places.put(id, places.size() < NAMED_MAX ? place(id) : "commit"));
    }
    return places;
  }

  /// Takes away the objects that anything keeps now, snapshots included.
  void removeFrom(Set<String> ids) {
    list(ids::remove);
  }

  private void list(java.util.function.Consumer<String> each, String... before) {
    String[] question = new String[before.length + 6];
    question[0] = "rev-list";
    question[1] = "--objects";
    question[2] = "--no-object-names";
    System.arraycopy(before, 0, question, 3, before.length);
    question[before.length + 3] = "--all";
    question[before.length + 4] = "--reflog";
    question[before.length + 5] = "--indexed-objects";
    Git.Output output = git.lines(new byte[0], each, question);
    if (output.status() != 0) {
      throw git.failed(output, question);
    }
  }

  private String place(String id) {
    Git.Output output =
        git.tryRun(
            new byte[0],
            "log",
            OWN_REFS,
            "--all",
            "--no-show-signature",
            "--find-object=" + id,
            "--max-count=1",
            "--format=%h of %S");
    return output.status() != 0 || output.line().isEmpty()
        ? "the index or a log of a ref"
        : "commit " + output.line();
  }
}
