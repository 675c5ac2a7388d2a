// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import dev.varve.StoreException;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.BlobLock;
import dev.varve.jp.blobs.BlobTrash;
import dev.varve.jp.blobs.DraftNames;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.blobs.StoredBlob;
import dev.varve.jp.blobs.StrayFile;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.FlockFile;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import dev.varve.jp.sweep.SweepReport.Candidate;
import dev.varve.jp.sweep.SweepReport.Ending;
import dev.varve.jp.sweep.SweepReport.Fate;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One sweep of one root. The conversations of every root count: JP copies a conversation from one
/// root to the other and leaves its blobs where they are.
public final class BlobSweep {

  private final Workspace workspace;
  private final WorkspaceRoot root;
  private final InstantSource clock;
  private final SweepOptions options;
  private final BlobFolder folder;
  private final BlobTrash trash;
  private final ReferenceScan references;
  private final List<StrayFile> odd = new ArrayList<>();
  private final List<Candidate> unreferenced = new ArrayList<>();
  private long blobs;
  private long referenced;
  private long restored;
  private long drafts;
  private long emptiedBytes;
  private @Nullable String why;
  private boolean stopWanted;

  private BlobSweep(
      Workspace workspace, WorkspaceRoot root, InstantSource clock, SweepOptions options) {
    this.workspace = workspace;
    this.root = root;
    this.clock = clock;
    this.options = options;
    this.folder = new BlobFolder(root.blobs(), clock);
    this.trash = new BlobTrash(root.blobs(), clock);
    this.references = new ReferenceScan(this::isStopWanted);
  }

  /// Removes what nothing refers to, into the trash, and empties trash that is old enough.
  ///
  /// @param root one of the workspace's
  public static SweepReport run(
      Workspace workspace, WorkspaceRoot root, InstantSource clock, SweepOptions options) {
    return new BlobSweep(workspace, root, clock, options).run();
  }

  /// Returns whether the sweep was asked to stop. The answer stays true, because the references
  /// that were skipped after the request are missing from the count.
  private boolean isStopWanted() {
    stopWanted = stopWanted || options.stop().getAsBoolean();
    return stopWanted;
  }

  private SweepReport run() {
    Ending ending;
    try {
      ending = RealFiles.isFolder(root.blobs()) ? sweep() : Ending.DONE;
    } catch (StoreException.Busy e) {
      why = e.getMessage();
      ending = Ending.BUSY;
    }
    return new SweepReport(
        root,
        ending,
        why,
        blobs,
        referenced,
        unreferenced,
        odd,
        new SweepReport.Tidying(restored, drafts, emptiedBytes),
        new SweepReport.Reading(references.files(), references.readBytes(), references.remarks()));
  }

  private Ending sweep() {
    references.look(workspace.referringFolders());
    if (isStopWanted()) {
      return stopped();
    }
    List<StoredBlob> candidates = candidates();
    if (isStopWanted()) {
      candidates.forEach(blob -> settle(blob, Fate.LEFT));
      return stopped();
    }
    if (!references.unreadable().isEmpty()) {
      candidates.forEach(blob -> settle(blob, Fate.LEFT));
      return blocked(references.unreadable());
    }
    if (!candidates.isEmpty() && !keptForGit(candidates)) {
      candidates.forEach(blob -> settle(blob, Fate.LEFT));
      return isStopWanted() ? stopped() : Ending.BLOCKED;
    }
    if (options.dry()) {
      candidates.forEach(blob -> settle(blob, Fate.REMOVABLE));
      return Ending.DONE;
    }
    return candidates.isEmpty() && isTidy() ? Ending.DONE : remove(candidates);
  }

  /// Returns whether there is neither a draft nor anything in the trash, so that nobody need be
  /// kept waiting.
  private boolean isTidy() {
    return trash.days().isEmpty() && drafts().isEmpty();
  }

  private Ending stopped() {
    why = "asked to stop";
    return Ending.STOPPED;
  }

  private Ending blocked(List<String> unreadable) {
    why = unreadable.getFirst();
    if (unreadable.size() > 1) {
      why += ", and " + (unreadable.size() - 1) + " more";
    }
    return Ending.BLOCKED;
  }

  /// The blobs that nothing refers to and that are old enough to go.
  private List<StoredBlob> candidates() {
    Instant young = clock.instant().minus(options.grace());
    List<StoredBlob> candidates = new ArrayList<>();
    folder.each(
        this::isStopWanted,
        blob -> {
          blobs++;
          if (references.hashes().contains(blob.hash())) {
            referenced++;
          } else if (blob.state().modified().toInstant().isAfter(young)) {
            settle(blob, Fate.YOUNG);
          } else {
            candidates.add(blob);
          }
        },
        odd::add);
    return candidates;
  }

  private void settle(StoredBlob blob, Fate fate) {
    unreferenced.add(new Candidate(blob, fate, ""));
  }

  /// Takes out of `candidates` what git still needs.
  ///
  /// @return false if git could not be asked
  private boolean keptForGit(List<StoredBlob> candidates) {
    // Of both roots: a conversation on another branch may refer to a blob that only the user has.
    if (!GitKeeps.concerns(workspace.shared())) {
      return true;
    }
    try {
      Map<Sha256, String> keeps = GitKeeps.of(workspace.shared(), this::isStopWanted);
      candidates.removeIf(
          blob -> {
            String reason = keeps.get(blob.hash());
            if (reason != null) {
              unreferenced.add(new Candidate(blob, Fate.KEPT_FOR_GIT, reason));
            }
            return reason != null;
          });
      return true;
    } catch (GitQueries.Failed e) {
      why = "what other branches need is not known: " + e.getMessage();
      return false;
    }
  }

  private Ending remove(List<StoredBlob> candidates) {
    try (FlockFile _ = BlobLock.take(root.blobs(), FlockFile.Kind.EXCLUSIVE, options.patience())) {
      // Alone now. What was renamed between two looks is found by one of them.
      references.look(workspace.referringFolders());
      references.look(workspace.referringFolders());
      if (!references.unreadable().isEmpty()) {
        candidates.forEach(blob -> settle(blob, Fate.LEFT));
        return blocked(references.unreadable());
      }
      Set<Path> leaves = new HashSet<>();
      boolean whole = true;
      for (StoredBlob blob : candidates) {
        whole = whole && !isStopWanted();
        settle(blob, whole ? remove(blob, leaves) : Fate.LEFT);
      }
      if (whole) {
        removeDrafts();
        leaves.forEach(BlobSweep::removeEmpty);
        whole = emptyTrash();
      }
      return whole ? Ending.DONE : stopped();
    }
  }

  private Fate remove(StoredBlob blob, Set<Path> leaves) {
    if (references.hashes().contains(blob.hash())
        || !FileState.of(blob.file()).filter(blob.state()::equals).isPresent()) {
      return Fate.WANTED_AGAIN;
    }
    if (options.trashKept().isZero()) {
      // Nothing could be put back; and a disk that is full has no room for another folder.
      emptiedBytes += RealFiles.delete(blob.file()) ? blob.state().sizeBytes() : 0;
    } else {
      trash.move(blob);
    }
    if (blob.file().getParent() != null) {
      leaves.add(blob.file().getParent());
    }
    return Fate.REMOVED;
  }

  /// Removes a folder of blobs, and the one above, if nothing is in them. Only while nobody writes.
  private static void removeEmpty(Path leaf) {
    if (RealFiles.delete(leaf) && leaf.getParent() != null) {
      RealFiles.delete(leaf.getParent());
    }
  }

  private void removeDrafts() {
    Instant young = clock.instant().minus(options.grace());
    for (Path path : drafts()) {
      boolean old =
          FileState.of(path)
              .filter(state -> !state.modified().toInstant().isAfter(young))
              .isPresent();
      if (old && !DraftNames.isBeingWritten(String.valueOf(path.getFileName()))) {
        drafts += RealFiles.delete(path) ? 1 : 0;
      }
    }
    odd.removeIf(each -> RealFiles.look(each.path()).isEmpty());
  }

  private List<Path> drafts() {
    List<Path> found = new ArrayList<>(RealFiles.list(root.blobs()));
    odd.stream().map(StrayFile::path).forEach(found::add);
    found.removeIf(path -> !DraftNames.isDraft(String.valueOf(path.getFileName())));
    return found;
  }

  /// Puts back what is referred to after all, and deletes what has lain long enough.
  private boolean emptyTrash() {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    for (LocalDate day : trash.days()) {
      for (StoredBlob thrown : trash.blobs(day)) {
        if (isStopWanted()) {
          return false;
        }
        if (references.hashes().contains(thrown.hash())
            && folder.find(thrown.hash()).isEmpty()
            && folder.isSound(thrown)) { // what was healed lies here, too
          trash.restore(thrown);
          restored++;
        }
      }
      if (options.trashKept().isZero()
          || day.plusDays(options.trashKept().toDays()).isBefore(today)) {
        emptiedBytes += trash.empty(day, this::isStopWanted);
      }
    }
    return !isStopWanted();
  }
}
