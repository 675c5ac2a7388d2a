// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.ObjectReader;
import dev.varve.git.ObjectRemoval;
import dev.varve.rewind.git.SnapshotRef;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One git folder with objects of snapshots: the repository's own, or an external one.
final class SnapshotDatabase {

  private final Git git;
  private final Path folder;
  private final int idBytes;
  private final RemovalJournal journal;

  /// The list of the snapshots that are kept; null if they are kept in another folder.
  private final @Nullable SnapshotRef ref;

  SnapshotDatabase(Git git, Path folder, int idBytes, @Nullable SnapshotRef ref) {
    this.git = git;
    this.folder = folder;
    this.idBytes = idBytes;
    this.journal = new RemovalJournal(folder);
    this.ref = ref;
  }

  private List<String> listed() {
    return ref == null ? List.of() : ref.snapshots();
  }

  /// Reads every object of every snapshot, also of those that were let go and are still there.
  ///
  /// @param each called before each snapshot is read
  SnapshotHolding find(WantedContent wanted, Runnable each) {
    try (ObjectReader reader = ObjectReader.open(git)) {
      SnapshotSearch search = new SnapshotSearch(reader, wanted, idBytes);
      Set<String> kept = wanted(listed(), search, each);
      Set<String> unkept = wanted(UnkeptObjects.of(git, reader).snapshots(), search, each);
      return new SnapshotHolding(
          kept,
          unkept,
          search.found(),
          new UserCommits(git).among(search.found().keySet()),
          search.isIncomplete(),
          journal.isThere());
    }
  }

  private static Set<String> wanted(
      Iterable<String> snapshots, SnapshotSearch search, Runnable each) {
    Set<String> wanted = new LinkedHashSet<>();
    for (String snapshot : snapshots) {
      each.run();
      if (search.isWanted(snapshot)) {
        wanted.add(snapshot);
      }
    }
    return wanted;
  }

  /// Removes what was found, as far as nothing else needs it. Called under the locks of all
  /// worktrees. A removal that was broken off is completed by the next.
  ///
  /// @param forget called when it is certain that snapshots go, before the first goes
  RemovedSnapshots remove(SnapshotHolding holding, Consumer<Set<String>> forget) {
    Instant startedAt = Instant.now();
    try (ObjectReader reader = ObjectReader.open(git)) {
      UnkeptObjects before = UnkeptObjects.of(git, reader);
      demandComplete(before);
      Set<String> snapshots = new HashSet<>(holding.kept());
      snapshots.addAll(holding.unkept());
      Set<String> doomed = new HashSet<>(journal.read());
      doomed.addAll(before.links());
      doomed.addAll(objects(snapshots));
      doomed.addAll(links());
      journal.write(doomed);
      forget.accept(snapshots);
      if (ref != null) {
        ref.erase(holding.kept());
      }
      new UserCommits(git).removeFrom(doomed);
      UnkeptObjects now = UnkeptObjects.of(git, reader);
      demandComplete(now);
      Set<String> needed = now.neededAmong(doomed, reader, idBytes);
      doomed.removeAll(needed);
      delete(doomed, startedAt);
      journal.delete();
      return proof(holding, snapshots, doomed, needed);
    }
  }

  private void demandComplete(UnkeptObjects unkept) {
    if (!unkept.complete()) {
      throw new StoreException.Corrupt(
          folder.toString(), 0, "every object that the repository needs", "'git fsck' misses some");
    }
  }

  /// The snapshots with everything in them, and no commits before them.
  private Set<String> objects(Set<String> snapshots) {
    Set<String> objects = new HashSet<>();
    if (!snapshots.isEmpty()) {
      String[] question = {
        "rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--no-walk", "--stdin"
      };
      byte[] names = (String.join("\n", snapshots) + "\n").getBytes(US_ASCII);
      Git.Output output = git.lines(names, objects::add, question);
      if (output.status() != 0) {
        throw git.failed(output, question);
      }
    }
    return objects;
  }

  /// The chain of commits that keeps the snapshots now. A shorter one takes its place.
  private Set<String> links() {
    Set<String> links = new HashSet<>();
    if (ref != null) {
      ref.tip()
          .ifPresent(tip -> git.lines(new byte[0], links::add, "rev-list", "--first-parent", tip));
    }
    return links;
  }

  private void delete(Set<String> doomed, Instant startedAt) {
    ObjectRemoval removal = new ObjectRemoval(git, folder.resolve("objects"), idBytes);
    removal.rewritePacks(doomed);
    removal.deleteLoose(doomed, startedAt);
    new DerivedGitFiles(git, folder).renew();
  }

  private RemovedSnapshots proof(
      SnapshotHolding holding, Set<String> snapshots, Set<String> doomed, Set<String> needed) {
    ObjectRemoval places = new ObjectRemoval(git, folder.resolve("objects"), idBytes);
    Set<String> asked = new HashSet<>(holding.objects().keySet());
    asked.addAll(snapshots);
    Set<String> present = present(asked);
    Map<String, String> users = new UserCommits(git).among(present);
    Map<String, String> staying = new HashMap<>();
    for (String id : present) {
      String user = users.get(id);
      staying.put(
          id, user != null ? "your " + user : reason(needed.contains(id), places.place(id)));
    }
    Set<String> gone = new HashSet<>(asked);
    gone.removeAll(present);
    long left = present(doomed).size();
    return new RemovedSnapshots(snapshots, doomed.size() - left, gone, staying);
  }

  private static String reason(boolean needed, ObjectRemoval.Place place) {
    return needed
        ? "a commit of yours that no branch has"
        : switch (place) {
          case KEPT_PACK -> "a pack with a .keep file";
          case BORROWED -> "a repository that this one borrows objects from";
          case LOOSE, PACK -> "a file that was written meanwhile";
        };
  }

  /// The objects among `ids` that git has.
  Set<String> present(Set<String> ids) {
    Set<String> present = new HashSet<>();
    if (!ids.isEmpty()) {
      git.lines(
          (String.join("\n", ids) + "\n").getBytes(US_ASCII),
          line -> {
            String[] words = line.split(" ", -1);
            if (words.length == 3) {
              present.add(words[0]);
            }
          },
          "cat-file",
          "--batch-check");
    }
    return present;
  }
}
