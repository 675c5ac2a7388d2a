// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.git.Git;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/// `refs/pi-rewind/store`: the one ref that keeps all snapshots of a repository from being collected.
///
/// It points to the last of a chain of commits with empty trees; each has the one before and one
/// snapshot as its parents (the first: the snapshot alone). The ref is moved only from the value
/// that was read, so that processes which add at once lose nothing.
final class StoreRef {

  static final String NAME = "refs/pi-rewind/store";
  private static final String MESSAGE = "pi rewind store\n";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PAUSE_NANOS_MAX = Duration.ofMillis(200).toNanos();

  private final Git user;
  private final Git shadow;

  /// @param user moves the ref
  /// @param shadow writes commits
  StoreRef(Git user, Git shadow) {
    this.user = user;
    this.shadow = shadow;
  }

  Optional<String> tip() {
    Git.Output output = user.tryRun(new byte[0], "rev-parse", "-q", "--verify", NAME + "^{commit}");
    return output.status() == 0 ? Optional.of(output.line()) : Optional.empty();
  }

  /// Whether a commit is kept.
  boolean keeps(String commit) {
    return user.tryRun(new byte[0], "merge-base", "--is-ancestor", commit, NAME).status() == 0;
  }

  /// Keeps a snapshot. Once this returns, whoever collects garbage leaves it alone.
  void add(String snapshot) {
    String emptyTree = emptyTree();
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    long pauseNanos = 1_000_000;
    while (true) {
      Optional<String> tip = tip();
      String link = link(emptyTree, tip, snapshot);
      Git.Output moved = move(link, tip);
      if (moved.status() == 0) {
        return;
      }
      if (System.nanoTime() > deadlineNanos) {
        throw new StoreException.Io(
            NAME, "could not be moved: " + moved.err().strip(), new IOException(moved.err()));
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pauseNanos));
      pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
    }
  }

  private Git.Output move(String link, Optional<String> tip) {
    String nothing = "0".repeat(link.length());
    return user.tryRun(
        new byte[0],
        "-c",
        "core.fsync=reference",
        "update-ref",
        "--no-deref",
        "-m",
        "pi rewind",
        NAME,
        link,
        tip.orElse(nothing));
  }

  private String link(String emptyTree, Optional<String> tip, String snapshot) {
    List<String> words = new ArrayList<>(List.of("commit-tree", emptyTree));
    tip.ifPresent(before -> words.addAll(List.of("-p", before)));
    words.addAll(List.of("-p", snapshot, "-F", "-"));
    return new String(shadow.feed(MESSAGE.getBytes(UTF_8), words.toArray(String[]::new)), UTF_8)
        .strip();
  }

  private String emptyTree() {
    return new String(
            shadow.feed(new byte[0], "hash-object", "-t", "tree", "-w", "--stdin"), UTF_8)
        .strip();
  }

  /// The snapshots that are kept, the last added first, each once.
  List<String> snapshots() {
    if (tip().isEmpty()) {
      return List.of();
    }
    Set<String> snapshots = new LinkedHashSet<>();
    String chain = user.line("rev-list", "--first-parent", "--parents", tip().orElseThrow());
    for (String line : chain.lines().toList()) {
      String[] ids = line.split(" ", -1);
      if (ids.length > 1) {
        snapshots.add(ids[ids.length - 1]);
      }
    }
    return List.copyOf(snapshots);
  }
}
