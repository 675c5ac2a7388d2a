// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.files.WholeFile;
import dev.varve.git.Git;
import dev.varve.git.IndexEntry;
import dev.varve.rewind.SmallFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// Varve's own git folder in the user's git folder. It has its own index and settings, and writes
/// objects where the user's repository has them.
///
/// The index stays between captures, so that git looks at sizes and times only. The settings and
/// `info/attributes` turn off everything that would make content differ from the bytes on the disk:
/// line ends, filters, `$Id$`, encodings. The folder can be deleted; the next capture makes it
/// again.
final class ShadowRepository {

  private static final String RAW = "* -text -filter -ident -eol -working-tree-encoding\n";
  private static final Duration RETRY = Duration.ofMillis(5);
  private static final String NO_HEAD = "ref: refs/heads/none\n";
  private static final String LOOKED = "looked";
  private static final String MISSED = "missed";
  private static final String DOUBTED = "doubted";
  private static final Duration LOOKS_LAST = Duration.ofHours(12);
  private static final Duration STALE = Duration.ofSeconds(2);

  private final Worktree worktree;
  private final Path folder;
  private final Git git;
  private final UserGitRules rules;

  ShadowRepository(Worktree worktree) {
    this.worktree = worktree;
    this.rules = new UserGitRules(worktree);
    this.folder = worktree.gitFolder().resolve(SnapshotLocation.FOLDER);
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("GIT_DIR", folder.toString());
    variables.put("GIT_WORK_TREE", worktree.root().toString());
    variables.put("GIT_OBJECT_DIRECTORY", worktree.keep().resolve("objects").toString());
    variables.put("GIT_CONFIG_GLOBAL", java.io.File.separatorChar == '/' ? "/dev/null" : "NUL");
    variables.put("GIT_CONFIG_NOSYSTEM", "1");
    variables.put("GIT_ATTR_NOSYSTEM", "1");
    variables.put("GIT_OPTIONAL_LOCKS", "1");
    for (String role : List.of("AUTHOR", "COMMITTER")) {
      variables.put("GIT_" + role + "_NAME", "pi rewind");
      variables.put("GIT_" + role + "_EMAIL", "pi-rewind@localhost");
    }
    this.git = worktree.git().with(variables);
  }

  /// The folders of this kind of all worktrees of a repository that have one.
  static List<Path> all(Worktree worktree) {
    List<Path> folders = new ArrayList<>();
    folders.add(worktree.commonFolder().resolve(SnapshotLocation.FOLDER));
    try (DirectoryStream<Path> linked =
        Files.newDirectoryStream(worktree.commonFolder().resolve("worktrees"))) {
      linked.forEach(gitFolder -> folders.add(gitFolder.resolve(SnapshotLocation.FOLDER)));
    } catch (NoSuchFileException e) {
      // no linked worktrees
    } catch (IOException e) {
      throw DiskErrors.of(worktree.commonFolder(), "list", e);
    }
    folders.removeIf(Files::notExists);
    return folders;
  }

  Git git() {
    return git;
  }

  Path folder() {
    return folder;
  }

  Path index() {
    return folder.resolve("index");
  }

  /// The entries of the index.
  ///
  /// @param idBytes how long an object's id is
  List<IndexEntry> entries(int idBytes) {
    return Files.exists(index()) ? IndexEntry.read(index(), idBytes) : List.of();
  }

  /// The rules, besides `.gitignore` files, that decide which files are captured.
  UserGitRules rules() {
    return rules;
  }

  /// Writes the settings. Called under the lock.
  void furnish() {
    try {
      Files.createDirectories(folder.resolve("objects"));
      Files.createDirectories(folder.resolve("refs"));
      Files.createDirectories(folder.resolve("info"));
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "create", 0, e);
    }
    // On another disk than the worktree's a probe proves nothing: then what every file system of
    // POSIX can do is taken for granted, and the files are captured as the disk shows them.
    boolean probed = DiskTraits.areOnOneDisk(folder, worktree.root());
    boolean sha256 = worktree.format().equals("sha256");
    StringBuilder config = new StringBuilder();
    config.append("[core]\n\trepositoryformatversion = ").append(sha256 ? 1 : 0).append('\n');
    for (String line :
        List.of(
            "bare = false",
            "autocrlf = false",
            "safecrlf = false",
            "fsync = objects,reference",
            "fsyncMethod = batch",
            "untrackedCache = false",
            "splitIndex = false",
            "sparseCheckout = false",
            "attributesFile = " + folder.resolve("none").toString().replace('\\', '/'),
            "excludesFile = " + folder.resolve("none").toString().replace('\\', '/'),
            "filemode = " + (!probed || DiskTraits.keepsPrograms(folder)),
            "symlinks = " + (!probed || DiskTraits.hasLinks(folder)),
            "ignorecase = " + worktree.foldsCase(),
            "precomposeunicode = false",
            "protectNTFS = false",
            "protectHFS = false")) {
      config.append('\t').append(line).append('\n');
    }
    config.append("[index]\n\tversion = 2\n[gc]\n\tauto = 0\n[submodule]\n\trecurse = false\n");
    config.append("[status]\n\tshowUntrackedFiles = all\n\trelativePaths = false\n");
    if (sha256) {
      config.append("[extensions]\n\tobjectformat = sha256\n");
    }
    WholeFile.at(folder.resolve("config")).replace(config.toString());
    WholeFile.at(folder.resolve("info").resolve("attributes")).replace(RAW);
    WholeFile.at(folder.resolve("info").resolve("exclude")).replace(rules.excludes());
    if (Files.notExists(folder.resolve("HEAD"))) {
      forget();
    }
  }

  /// False if the settings are absent or damaged: git then refuses to read anything.
  boolean isFurnished() {
    try {
      return SmallFile.read(folder.resolve("config"))
          .filter(text -> text.startsWith("[core]") && text.indexOf('\0') < 0)
          .isPresent();
    } catch (StoreException.Io e) {
      return false; // the bytes are no text
    }
  }

  /// True if names and permissions behave as on a file system of POSIX.
  boolean isPlain() {
    String config = SmallFile.read(folder.resolve("config")).orElse("");
    return config.contains("filemode = true")
        && config.contains("symlinks = true")
        && config.contains("ignorecase = false");
  }

  /// False if the file `HEAD` is absent or damaged: git then takes the folder for no repository.
  boolean hasHead() {
    try {
      return SmallFile.read(folder.resolve("HEAD"))
          .filter(text -> text.matches("(ref: refs/heads/none|[0-9a-f]{40}|[0-9a-f]{64})\n"))
          .isPresent();
    } catch (StoreException.Io e) {
      return false; // the bytes are no text
    }
  }

  /// Makes a snapshot the commit that the index is compared with.
  void head(String commit) {
    WholeFile.at(folder.resolve("HEAD")).replaceSoon(commit + "\n");
  }

  /// Starts over in all worktrees of a repository: the next capture of each reads every file, and
  /// counts on no object. Called under the locks of all of them.
  static void forget(Worktree worktree) {
    for (Path folder : all(worktree)) {
      WholeFile.at(folder.resolve(LastCapture.FILE)).delete();
      WholeFile.at(folder.resolve("HEAD")).replace(NO_HEAD);
      WholeFile.at(folder.resolve("index")).delete();
    }
  }

  /// Starts over: the next capture reads every file.
  void forget() {
    WholeFile.at(folder.resolve("HEAD")).replace(NO_HEAD);
    WholeFile.at(index()).delete();
  }

  /// Notes that files went away. Tracked and ignored files have to be looked for, because git does
  /// not report when they come back.
  void missed() {
    if (!misses()) {
      WholeFile.at(folder.resolve(MISSED)).replace("");
    }
  }

  boolean misses() {
    return Files.exists(folder.resolve(MISSED));
  }

  /// Notes that all tracked and ignored files exist.
  void missesNone() {
    WholeFile.at(folder.resolve(MISSED)).delete();
  }

  /// Notes for all worktrees of a repository that objects are damaged: the next capture of each
  /// reads every file, and every object that it counts on.
  static void doubt(Worktree worktree) {
    all(worktree).forEach(folder -> WholeFile.at(folder.resolve(DOUBTED)).replace(""));
  }

  boolean isDoubted() {
    return Files.exists(folder.resolve(DOUBTED));
  }

  /// A capture read every object that it counts on.
  void trust() {
    if (isDoubted()) {
      WholeFile.at(folder.resolve(DOUBTED)).delete();
    }
  }

  /// Notes that the index names objects that nothing keeps from being collected.
  void looked() {
    if (!Files.exists(folder.resolve(LOOKED))) {
      WholeFile.at(folder.resolve(LOOKED)).replace("");
    }
  }

  void kept() {
    WholeFile.at(folder.resolve(LOOKED)).delete();
  }

  /// Forgets the index if it may name objects that git has collected. Git collects what nothing
  /// keeps after two weeks, unless its settings say otherwise.
  void forgetOldLooks(Instant now) {
    Path looked = folder.resolve(LOOKED);
    try {
      if (Files.exists(looked)
          && Files.getLastModifiedTime(looked).toInstant().isBefore(now.minus(LOOKS_LAST))) {
        forget();
        WholeFile.at(looked).delete();
      }
    } catch (IOException e) {
      throw DiskErrors.of(looked, "read", e);
    }
  }

  /// Frees an index that a killed process left locked. Called under the lock of the worktree: the
  /// process that locked the index is dead, or is a git that outlived its parent and is soon done.
  void unlockIndex() {
    Path stale = folder.resolve("index.lock");
    long deadlineNanos = System.nanoTime() + STALE.toNanos();
    while (Files.exists(stale) && System.nanoTime() < deadlineNanos) {
      LockSupport.parkNanos(RETRY.toNanos());
    }
    WholeFile.at(stale).delete();
  }

  /// Frees an index that a git which has ended left locked: the system kills a git that reads a
  /// file while the file is shortened.
  void unlockOwnIndex() {
    WholeFile.at(folder.resolve("index.lock")).delete();
  }
}
