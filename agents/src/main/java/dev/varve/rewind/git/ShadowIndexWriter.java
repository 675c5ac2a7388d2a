// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.git.IndexEntry;
import dev.varve.git.LooseObjects;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.Permissions;
import dev.varve.rewind.SteadyFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/// Adds files to the shadow's index, and removes them.
///
/// Git reads the files, all at once. It gives up all of them if one is shortened meanwhile, and
/// does not notice if one is rewritten while it reads. Such files are found and read again until
/// they hold still ([SteadyFile]).
final class ShadowIndexWriter {

  private static final String[] PRESENT = {"--add", "--remove", "--replace"};

  private final Worktree worktree;
  private final ShadowRepository shadow;
  private final long fileBytesMax;
  private final SortedMap<RepoPath, LeftOut> leftOut;

  /// @param leftOut takes the files that cannot be read
  ShadowIndexWriter(
      Worktree worktree,
      ShadowRepository shadow,
      long fileBytesMax,
      SortedMap<RepoPath, LeftOut> leftOut) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.fileBytesMax = fileBytesMax;
    this.leftOut = leftOut;
  }

  void remove(List<RepoPath> paths) {
    update(paths, "--force-remove");
  }

  /// Adds the files among `paths` that exist, and removes those that went away meanwhile.
  void add(List<RepoPath> paths) {
    Instant startedAt = Instant.now();
    List<Optional<SteadyFile.Look>> before = looks(paths);
    Set<RepoPath> busy = new TreeSet<>();
    addByGit(paths, busy);
    List<Optional<SteadyFile.Look>> after = looks(paths);
    for (int i = 0; i < paths.size(); i++) {
      if (!after.get(i).equals(before.get(i))) {
        busy.add(paths.get(i));
      }
    }
    addWithPatience(busy);
    addBroken(paths, startedAt);
  }

  /// Writes the content of files again whose objects were there already and are damaged: git takes
  /// an object for granted that has a file.
  private void addBroken(List<RepoPath> paths, Instant startedAt) {
    Set<RepoPath> added = new HashSet<>(paths);
    List<IndexEntry> entries = added.isEmpty() ? List.of() : entries();
    LooseObjects objects = worktree.objects();
    addWithPatience(
        entries.parallelStream()
            .filter(entry -> added.contains(entry.path()))
            .filter(entry -> objects.wasLooseBefore(entry.id(), startedAt))
            .filter(entry -> !objects.isSound(entry.id()))
            .map(IndexEntry::path)
            .sorted()
            .toList());
  }

  private List<IndexEntry> entries() {
    return shadow.entries(worktree.idBytes());
  }

  /// Looks at files, several at a time: a first capture looks at all.
  private List<Optional<SteadyFile.Look>> looks(List<RepoPath> paths) {
    return paths.parallelStream().map(this::look).toList();
  }

  private Optional<SteadyFile.Look> look(RepoPath path) {
    try {
      return Optional.of(SteadyFile.Look.at(path.under(worktree.root())));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// @param refused takes the files that git gives up on
  private void addByGit(List<RepoPath> paths, Set<RepoPath> refused) {
    try {
      update(paths, PRESENT);
    } catch (StoreException.Io e) {
      shadow.unlockOwnIndex();
      if (paths.size() == 1) {
        refused.add(paths.getFirst());
        demandIndex();
        return;
      }
      int half = paths.size() / 2;
      addByGit(paths.subList(0, half), refused);
      addByGit(paths.subList(half, paths.size()), refused);
    }
  }

  /// Checks that the index can be written, so that not every file is tried in vain.
  ///
  /// @throws StoreException.Io if it is the index that cannot be written, or is damaged
  private void demandIndex() {
    shadow.git().run("update-index", "--force-write-index");
  }

  /// Reads files as the index has none of them, and writes their content even if git believes that
  /// it has it.
  void addWithPatience(Collection<RepoPath> paths) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    List<RepoPath> links = new ArrayList<>();
    List<RepoPath> gone = new ArrayList<>();
    for (RepoPath path : paths) {
      Path file = path.under(worktree.root());
      if (Files.isSymbolicLink(file)) {
        links.add(path); // its target changes at once, or not
        continue;
      }
      try {
        Optional<String> id = SteadyFile.blob(worktree.objects(), file, fileBytesMax);
        if (id.isPresent()) {
          lines.writeBytes((mode(file) + " " + id.get() + "\t").getBytes(US_ASCII));
          lines.writeBytes(RepoPath.join(List.of(path)));
          continue;
        }
        leftOut.put(path, LeftOut.CHANGING);
      } catch (NoSuchFileException e) {
        // it went away
      } catch (IOException e) {
        leftOut.put(path, LeftOut.UNREADABLE);
      }
      gone.add(path);
    }
    update(links, PRESENT);
    remove(gone);
    if (lines.size() > 0) {
      worktree.objects().settle();
      shadow.git().feed(lines.toByteArray(), "update-index", "-z", "--replace", "--index-info");
    }
  }

  private static String mode(Path file) throws IOException {
    boolean isProgram =
        Permissions.areKnownIn(file)
            && Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_EXECUTE);
    return Integer.toOctalString(isProgram ? TreeChange.PROGRAM : TreeChange.FILE);
  }

  private void update(List<RepoPath> paths, String... how) {
    if (!paths.isEmpty()) {
      List<String> words = new ArrayList<>(List.of("update-index", "-z"));
      words.addAll(List.of(how));
      words.add("--stdin");
      shadow.git().feed(RepoPath.join(paths), words.toArray(String[]::new));
    }
  }
}
