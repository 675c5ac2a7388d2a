// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import dev.varve.disk.LocalDisk;
import dev.varve.files.WholeFile;
import dev.varve.git.Git;
import dev.varve.git.LooseObjects;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// `refs/pi-rewind/store`: the one ref that keeps all snapshots of a repository from being
/// collected.
///
/// It points to the last of a chain of commits with empty trees; each has the one before and one
/// snapshot as its parents (the first: the snapshot alone). The ref is moved only from the value
/// that was read, so that processes which add at once lose nothing.
public final class SnapshotRef {

  public static final String NAME = "refs/pi-rewind/store";
  private static final String MESSAGE = "pi rewind store\n";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration STALE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS_MAX = Duration.ofMillis(200).toNanos();

  private final Worktree worktree;
  private final Git user;
  private final LooseObjects objects;
  private final InstantSource clock;

  /// The chain that was read last.
  private volatile @Nullable Chain known;

  private record Chain(String tip, SequencedSet<String> snapshots) {}

  public SnapshotRef(Worktree worktree, InstantSource clock) {
    this.worktree = worktree;
    this.user = worktree.keeper();
    this.objects = worktree.objects();
    this.clock = clock;
  }

  /// The commit that the ref points to. A ref that is a file of its own is read without git.
  ///
  /// @throws StoreException.Corrupt if the file holds anything else than a name. Git would take
  ///   such a ref for one that is not there, and the snapshots for nobody's
  public Optional<String> tip() {
    Path file = worktree.keep().resolve(NAME);
    try {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        String id = Files.readString(file, ISO_8859_1).strip();
        if (id.matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
          return Optional.of(id);
        }
        if (!id.startsWith("ref: ")) {
          throw new StoreException.Corrupt(
              file.toString(), 0, "the name of a commit", Files.size(file) + " other bytes");
        }
      }
    } catch (IOException e) {
      // git knows
    }
    Git.Output output = user.tryRun(new byte[0], "rev-parse", "-q", "--verify", NAME + "^{commit}");
    return output.status() == 0 ? Optional.of(output.line()) : Optional.empty();
  }

  /// True if a commit is kept.
  boolean keeps(String commit) {
    try {
      return chain().filter(chain -> chain.snapshots().contains(commit)).isPresent();
    } catch (StoreException.Io | StoreException.Corrupt e) {
      return false; // a chain that is damaged further down is no reason not to go on
    }
  }

  /// Keeps a snapshot. Once this returns, garbage collection leaves the snapshot alone.
  ///
  /// @throws StoreException.Corrupt if the ref leads to something that no chain can go on from
  public void add(String snapshot) {
    long pauseNanos = 1_000_000;
    for (long deadlineNanos = deadline(); ; ) {
      Optional<String> tip = tip();
      tip.ifPresent(this::demandCommit);
      String link = link(tip, snapshot);
      Git.Output moved = move(link, tip);
      if (moved.status() == 0) {
        added(tip.orElse(""), link, snapshot);
        return;
      }
      demandTime(deadlineNanos, moved);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pauseNanos));
      pauseNanos = Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
    }
  }

  /// Refuses a tip that is no commit, or is absent: with it as a parent, git could never again
  /// collect garbage in the repository.
  private void demandCommit(String tip) {
    Chain before = known;
    if (before == null || !before.tip().equals(tip)) {
      String found = user.tryRun(new byte[0], "cat-file", "-t", tip).line();
      if (!found.equals("commit")) {
        throw new StoreException.Corrupt(
            NAME, 0, "a commit", found.isEmpty() ? "no object" : "a " + found);
      }
    }
  }

  private void added(String tip, String link, String snapshot) {
    Chain before = known;
    if (before != null && before.tip().equals(tip)) {
      SequencedSet<String> snapshots = new LinkedHashSet<>(before.snapshots());
      snapshots.addFirst(snapshot);
      known = new Chain(link, snapshots);
    }
  }

  /// Stops keeping snapshots; what others add meanwhile stays. If none would be left, nothing is
  /// done: an empty store is more likely a mistake than a wish.
  ///
  /// @return the snapshots that were kept until now
  Set<String> drop(Set<String> unwanted) {
    return drop(unwanted, false);
  }

  /// Stops keeping snapshots, also if none is left: the ref is deleted then. The ref's log, where
  /// git writes one, is emptied.
  ///
  /// @return the snapshots that were kept until now
  public Set<String> erase(Set<String> unwanted) {
    Set<String> dropped = drop(unwanted, true);
    if (user.tryRun(new byte[0], "reflog", "exists", NAME).status() == 0) {
      user.run("reflog", "expire", "--expire=all", NAME);
    }
    return dropped;
  }

  private Set<String> drop(Set<String> unwanted, boolean all) {
    for (long deadlineNanos = deadline(); ; ) {
      Optional<Chain> before = chain();
      List<String> kept = before.map(Chain::snapshots).map(List::copyOf).orElse(List.of());
      List<String> left = kept.stream().filter(each -> !unwanted.contains(each)).toList();
      if (left.isEmpty() && !all || left.size() == kept.size()) {
        return Set.of();
      }
      Optional<String> link = Optional.empty();
      for (String snapshot : left.reversed()) {
        link = Optional.of(link(link, snapshot));
      }
      Optional<String> tip = before.map(Chain::tip);
      Git.Output moved =
          link.isPresent()
              ? move(link.get(), tip)
              : user.tryRun(new byte[0], "update-ref", "--no-deref", "-d", NAME, tip.orElseThrow());
      if (moved.status() == 0) {
        known = link.map(id -> new Chain(id, new LinkedHashSet<>(left))).orElse(null);
        Set<String> dropped = new LinkedHashSet<>(kept);
        left.forEach(dropped::remove);
        return dropped;
      }
      demandTime(deadlineNanos, moved);
    }
  }

  private static long deadline() {
    return System.nanoTime() + PATIENCE.toNanos();
  }

  private static void demandTime(long deadlineNanos, Git.Output moved) {
    if (System.nanoTime() > deadlineNanos) {
      throw new StoreException.Io(
          NAME, "could not be moved: " + moved.err().strip(), new IOException(moved.err()));
    }
  }

  private Git.Output move(String link, Optional<String> tip) {
    objects.settle();
    if (tip.isPresent() && moveFile(link, tip.get())) {
      return new Git.Output(0, new byte[0], "");
    }
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

  /// Moves a ref that is a file of its own and has no log, as git does: the new value is written to
  /// a lock file that only one process can create, and renamed. Every other case is left to git.
  private boolean moveFile(String link, String tip) {
    Path ref = worktree.keep().resolve(NAME);
    Path lock = ref.resolveSibling(ref.getFileName() + ".lock");
    if (Files.exists(worktree.keep().resolve("logs").resolve(NAME))) {
      return false;
    }
    try {
      if (!holds(ref, tip)) {
        return false;
      }
      freeIfStale(lock);
      try (FileChannel out = FileChannel.open(lock, CREATE_NEW, WRITE)) { // the name that git gives
        out.write(ByteBuffer.wrap((link + "\n").getBytes(US_ASCII)));
        out.force(true);
      }
    } catch (IOException e) {
      return false; // somebody else moves it, or it is not plain
    }
    boolean moved = false;
    try {
      if (holds(ref, tip)) {
        Files.move(lock, ref, StandardCopyOption.ATOMIC_MOVE);
        moved = true;
        if (!holds(ref, link)) {
          return false; // it went on already: adding once more does no harm
        }
        LocalDisk.ofUser(Objects.requireNonNull(ref.getParent())).forceNames();
      }
    } catch (IOException | StoreException.Io e) {
      // git says why
    }
    if (!moved) {
      WholeFile.at(lock).delete();
    }
    return moved;
  }

  private static boolean holds(Path ref, String tip) throws IOException {
    return Files.isRegularFile(ref, LinkOption.NOFOLLOW_LINKS)
        && Files.readString(ref).strip().equals(tip);
  }

  /// Frees a lock that a killed process left. A process that moves the ref holds the lock for an
  /// instant only.
  private void freeIfStale(Path lock) throws IOException {
    if (Files.exists(lock)
        && Files.getLastModifiedTime(lock).toInstant().isBefore(Instant.now().minus(STALE))) {
      Files.deleteIfExists(lock);
    }
  }

  private String link(Optional<String> before, String snapshot) {
    List<String> parents =
        before.map(link -> List.of(link, snapshot)).orElseGet(() -> List.of(snapshot));
    return objects.commit(objects.write("tree", new byte[0]), parents, MESSAGE, clock.instant());
  }

  /// The snapshots that are kept, the last added first, each once.
  public List<String> snapshots() {
    return chain().map(Chain::snapshots).map(List::copyOf).orElse(List.of());
  }

  private Optional<Chain> chain() {
    Optional<String> tip = tip();
    Chain before = known;
    if (tip.isEmpty() || before != null && before.tip().equals(tip.get())) {
      return tip.map(_ -> before);
    }
    demandCommit(tip.get());
    SequencedSet<String> snapshots = new LinkedHashSet<>();
    String chain = user.line("rev-list", "--first-parent", "--parents", tip.get());
    for (String line : chain.lines().toList()) {
      String[] ids = line.split(" ", -1);
      if (ids.length > 1) {
        snapshots.add(ids[ids.length - 1]);
      }
    }
    Chain read = new Chain(tip.get(), snapshots);
    known = read;
    return Optional.of(read);
  }
}
