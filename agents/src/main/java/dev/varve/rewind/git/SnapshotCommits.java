// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.RepoPath;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMessage;
import dev.varve.rewind.SnapshotMetadata;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads snapshots by the names of their commits.
public final class SnapshotCommits {

  private SnapshotCommits() {}

  /// @throws StoreException.NotFound if git does not have the commit
  static Snapshot get(Git git, String commit) {
    return all(git, List.of(commit)).getFirst();
  }

  /// @throws StoreException.NotFound if git does not have one of them
  static List<Snapshot> all(Git git, List<String> commits) {
    if (commits.isEmpty()) {
      return List.of();
    }
    Git.Output output =
        git.tryRun(
            (String.join("\n", commits) + "\n").getBytes(US_ASCII),
            "log",
            "--no-walk=unsorted",
            "--stdin",
            "-z",
            "--no-show-signature",
            "--encoding=UTF-8",
            "--format=%H%n%T%n%ct%n%B");
    if (output.status() != 0) {
      throw new StoreException.NotFound(
          "snapshot", commits.size() == 1 ? commits.getFirst() : output.err().strip());
    }
    List<Snapshot> snapshots = new ArrayList<>();
    for (RepoPath piece : RepoPath.list(terminated(output.out()))) {
      String[] lines = new String(piece.bytes(), UTF_8).split("\n", 4);
      if (lines.length == 4) {
        snapshots.add(
            new Snapshot(
                lines[0],
                lines[1],
                Instant.ofEpochSecond(Long.parseLong(lines[2])),
                metadata(lines[3]),
                SnapshotMessage.note(lines[3])));
      }
    }
    if (snapshots.isEmpty()) {
      throw new StoreException.NotFound("snapshot", commits.getFirst());
    }
    return snapshots;
  }

  /// The commits among `commits` that git has.
  static Set<String> present(Git git, Set<String> commits) {
    if (commits.isEmpty()) {
      return Set.of();
    }
    byte[] names = (String.join("\n", commits) + "\n").getBytes(US_ASCII);
    Set<String> found = new HashSet<>();
    for (String line :
        new String(git.feed(names, "cat-file", "--batch-check"), UTF_8).lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words.length == 3 && words[1].equals("commit")) {
        found.add(words[0]);
      }
    }
    return found;
  }

  /// The metadata in a message; empty if they are damaged.
  private static Optional<SnapshotMetadata> metadata(String message) {
    try {
      return SnapshotMessage.parse(message);
    } catch (StoreException.Invalid e) {
      return Optional.empty();
    }
  }

  /// The output with a NUL at its end: git writes a NUL between commits, and none behind the last.
  private static byte[] terminated(byte[] output) {
    return output.length == 0 || output[output.length - 1] == 0
        ? output
        : java.util.Arrays.copyOf(output, output.length + 1);
  }
}
