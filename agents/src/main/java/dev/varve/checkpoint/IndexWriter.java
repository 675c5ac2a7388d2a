// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/// Brings files into the shadow's index, and takes them out.
///
/// Git reads the files, all at once. It gives up all of them for one that somebody shortens
/// meanwhile, and does not notice that one is rewritten while it reads: such files are found, and
/// read with patience ([SteadyFile]).
final class IndexWriter {

  private static final String[] PRESENT = {"--add", "--remove", "--replace"};

  private final Worktree worktree;
  private final Shadow shadow;
  private final long fileBytesMax;
  private final SortedMap<RepoPath, LeftOut> leftOut;

  /// @param leftOut where what cannot be read is told
  IndexWriter(
      Worktree worktree, Shadow shadow, long fileBytesMax, SortedMap<RepoPath, LeftOut> leftOut) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.fileBytesMax = fileBytesMax;
    this.leftOut = leftOut;
  }

  void remove(List<RepoPath> paths) {
    update(paths, "--force-remove");
  }

  /// Brings in what is there of `paths`; what went away meanwhile is taken out.
  void add(List<RepoPath> paths) {
    Map<RepoPath, Optional<SteadyFile.Look>> before = new HashMap<>();
    paths.forEach(path -> before.put(path, look(path)));
    Set<RepoPath> busy = new TreeSet<>();
    addByGit(paths, busy);
    paths.stream().filter(path -> !look(path).equals(before.get(path))).forEach(busy::add);
    addWithPatience(busy);
  }

  private Optional<SteadyFile.Look> look(RepoPath path) {
    try {
      return Optional.of(SteadyFile.Look.at(path.under(worktree.root())));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// @param refused which ones git gives up on
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

  /// Lest each file is tried where none can be written.
  ///
  /// @throws StoreException.Io if it is the index that cannot be written, or is damaged
  private void demandIndex() {
    shadow.git().run("update-index", "--force-write-index");
  }

  private void addWithPatience(Set<RepoPath> paths) {
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
