// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.Git;
import dev.varve.git.IndexEntry;
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

/// A git folder of our own in the user's git folder: it has its own index and settings, and writes
/// objects where the user's repository has them.
///
/// The index stays between captures, so that git looks at sizes and times only. The settings and
/// `info/attributes` turn off everything that would make content differ from what is on the disk:
/// line ends, filters, `$Id$`, encodings. All of it can be deleted; the next capture makes it
/// again.
final class Shadow {

  static final String FOLDER = "varve-rewind";
  private static final String RAW = "* -text -filter -ident -eol -working-tree-encoding\n";
  private static final Duration RETRY = Duration.ofMillis(5);
  private static final String LOOKED = "looked";
  private static final String MISSED = "missed";
  private static final Duration LOOKS_LAST = Duration.ofHours(12);
  private static final Duration STALE = Duration.ofSeconds(2);

  private final Worktree worktree;
  private final Path folder;
  private final Git git;
  private final UserRules rules;

  Shadow(Worktree worktree) {
    this.worktree = worktree;
    this.rules = new UserRules(worktree);
    this.folder = worktree.gitFolder().resolve(FOLDER);
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
    folders.add(worktree.commonFolder().resolve(FOLDER));
    try (DirectoryStream<Path> linked =
        Files.newDirectoryStream(worktree.commonFolder().resolve("worktrees"))) {
      linked.forEach(gitFolder -> folders.add(gitFolder.resolve(FOLDER)));
    } catch (NoSuchFileException e) {
      // no linked worktrees
    } catch (IOException e) {
      throw SmallFile.refusal(worktree.commonFolder(), "list", e);
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

  /// What the index has.
  ///
  /// @param idBytes how long an object's id is
  List<IndexEntry> entries(int idBytes) {
    return Files.exists(index()) ? IndexEntry.read(index(), idBytes) : List.of();
  }

  /// What decides which files are captured, besides `.gitignore` files.
  UserRules rules() {
    return rules;
  }

  /// Writes the settings. Called under the lock.
  void furnish() {
    try {
      Files.createDirectories(folder.resolve("objects"));
      Files.createDirectories(folder.resolve("refs"));
      Files.createDirectories(folder.resolve("info"));
    } catch (IOException e) {
      throw SmallFile.refusal(folder, "create", e);
    }
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
            "filemode = " + rules.setting("core.filemode", "true"),
            "symlinks = " + rules.setting("core.symlinks", "true"),
            "ignorecase = " + rules.setting("core.ignorecase", "false"),
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
    SmallFile.replace(folder.resolve("config"), config.toString());
    SmallFile.replace(folder.resolve("info").resolve("attributes"), RAW);
    SmallFile.replace(folder.resolve("info").resolve("exclude"), rules.excludes());
    if (Files.notExists(folder.resolve("HEAD"))) {
      forget();
    }
  }

  /// Whether names and permissions are what they are on a file system of POSIX.
  boolean isPlain() {
    String config = SmallFile.read(folder.resolve("config")).orElse("");
    return config.contains("filemode = true")
        && config.contains("symlinks = true")
        && config.contains("ignorecase = false");
  }

  /// Makes the last snapshot what the index is compared with.
  void head(String commit) {
    SmallFile.replaceSoon(folder.resolve("HEAD"), commit + "\n");
  }

  /// Starts over: the next capture reads every file.
  void forget() {
    SmallFile.replace(folder.resolve("HEAD"), "ref: refs/heads/none\n");
    SmallFile.delete(index());
  }

  /// Notes that files went away: those that are ignored and tracked have to be looked for, because
  /// git does not tell when they come back.
  void missed() {
    if (!misses()) {
      SmallFile.replace(folder.resolve(MISSED), "");
    }
  }

  boolean misses() {
    return Files.exists(folder.resolve(MISSED));
  }

  /// All of them are there.
  void missesNone() {
    SmallFile.delete(folder.resolve(MISSED));
  }

  /// Notes that the index names objects that nothing keeps from being collected.
  void looked() {
    if (!Files.exists(folder.resolve(LOOKED))) {
      SmallFile.replace(folder.resolve(LOOKED), "");
    }
  }

  void kept() {
    SmallFile.delete(folder.resolve(LOOKED));
  }

  /// Git collects what nothing keeps, after two weeks unless told otherwise: by then the index must
  /// not count on it.
  void forgetOldLooks(Instant now) {
    Path looked = folder.resolve(LOOKED);
    try {
      if (Files.exists(looked)
          && Files.getLastModifiedTime(looked).toInstant().isBefore(now.minus(LOOKS_LAST))) {
        forget();
        SmallFile.delete(looked);
      }
    } catch (IOException e) {
      throw SmallFile.refusal(looked, "read", e);
    }
  }

  /// Frees an index that a killed process left locked. Called under our own lock: whoever wrote it
  /// is dead, or a git that outlived its parent and is soon done.
  void unlockIndex() {
    Path stale = folder.resolve("index.lock");
    long deadlineNanos = System.nanoTime() + STALE.toNanos();
    while (Files.exists(stale) && System.nanoTime() < deadlineNanos) {
      LockSupport.parkNanos(RETRY.toNanos());
    }
    SmallFile.delete(stale);
  }

  /// Frees an index that a git of ours, which has ended, left locked: one that looks at a file that
  /// somebody shortens is killed by the system.
  void unlockOwnIndex() {
    SmallFile.delete(folder.resolve("index.lock"));
  }
}
