// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.access.StoreAccess;
import dev.varve.git.RepoPath;
import dev.varve.rewind.folder.CountedAccess;
import dev.varve.rewind.folder.FolderArchive;
import dev.varve.rewind.git.GitArchive;
import dev.varve.rewind.git.Worktree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A repository of real git, of a user without settings and without a name, and what is on its
/// disk.
public final class Repo {

  private final Path root;
  private final Path home;
  private final @Nullable StoreAccess store;

  private Repo(Path root, Path home, @Nullable StoreAccess store) {
    this.root = root;
    this.home = home;
    this.store = store;
  }

  /// What keeps the snapshots.
  public enum Kind {
    GIT,
    STORE
  }

  public static Repo in(Path folder, Kind kind) {
    return switch (kind) {
      case GIT -> in(folder);
      case STORE -> plain(folder);
    };
  }

  /// A folder without git.
  public static Repo plain(Path folder) {
    try {
      return new Repo(
          Files.createDirectories(folder.resolve("repo")),
          Files.createDirectories(folder.resolve("home")),
          new CountedAccess(folder.resolve("store")));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public static Repo in(Path folder, String... initOptions) {
    try {
      Repo repo =
          new Repo(
              Files.createDirectories(folder.resolve("repo")),
              Files.createDirectories(folder.resolve("home")),
              null);
      List<String> words = new ArrayList<>(List.of("init", "-q", "-b", "main"));
      words.addAll(List.of(initOptions));
      repo.git(words.toArray(String[]::new));
      repo.git("config", "core.excludesFile", repo.home.resolve("none").toString());
      return repo;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// Another worktree of somebody's repository, or a folder in it.
  public Repo at(Path other) {
    return new Repo(other, home, store);
  }

  public Path root() {
    return root;
  }

  public Path path(String name) {
    return RepoPath.of(name).under(root);
  }

  public Rewind rewind() {
    return rewind(Rewind.FILE_BYTES_MAX_DEFAULT);
  }

  public Rewind rewind(long fileBytesMax) {
    return Rewind.of(archive(fileBytesMax), InstantSource.system());
  }

  public SnapshotArchive archive() {
    return archive(Rewind.FILE_BYTES_MAX_DEFAULT);
  }

  private SnapshotArchive archive(long fileBytesMax) {
    return store == null
        ? new GitArchive(Worktree.at(root), root, InstantSource.system(), fileBytesMax)
        : FolderArchive.at(root, store, InstantSource.system(), fileBytesMax);
  }

  public boolean isGit() {
    return store == null;
  }

  public Snapshot capture() {
    return rewind().capture("");
  }

  /// Restores all and demands that it went well.
  public RestoreOutcome restore(Snapshot target) {
    Rewind rewind = rewind();
    return rewind.restore(rewind.plan(target, new PathSelection.Everything()));
  }

  /// Loses what is remembered of the last capture.
  void forget() throws IOException {
    Path notes = archive().folder();
    for (String name : List.of("last", "index")) {
      Files.deleteIfExists(notes.resolve(name));
    }
  }

  /// Leaves what a restore leaves that is killed before it changed a file.
  public void breakOff(String target) {
    Rewind rewind = rewind();
    RestorePlan plan = rewind.plan(rewind.snapshot(target), new PathSelection.Everything());
    RestoreJournal.of("restore", plan).write(archive().folder());
  }

  public Repo write(String name, String text) throws IOException {
    return write(RepoPath.of(name), text.getBytes(UTF_8));
  }

  public Repo write(RepoPath name, byte[] bytes) throws IOException {
    Path file = name.under(root);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
    return this;
  }

  public String read(String name) throws IOException {
    return Files.readString(path(name));
  }

  public void permit(String name, String permissions) throws IOException {
    Files.setPosixFilePermissions(path(name), PosixFilePermissions.fromString(permissions));
  }

  public void link(String name, String target) throws IOException {
    // Java would drop a slash at the end.
    run("ln", "-s", target, path(name).toString());
  }

  public String git(String... args) {
    List<String> words = new ArrayList<>(List.of("git"));
    words.addAll(List.of(args));
    return run(words.toArray(String[]::new));
  }

  /// With a name, for commits.
  public String gitAs(String... args) {
    List<String> words =
        new ArrayList<>(List.of("-c", "user.name=u", "-c", "user.email=u@localhost"));
    words.addAll(List.of(args));
    return git(words.toArray(String[]::new));
  }

  public String run(String... words) {
    try {
      ProcessBuilder builder = new ProcessBuilder(words).directory(root.toFile());
      Map<String, String> environment = builder.environment();
      environment.keySet().removeIf(name -> name.startsWith("GIT_"));
      environment.put("HOME", home.toString());
      environment.put("XDG_CONFIG_HOME", home.toString());
      environment.put("GIT_CONFIG_NOSYSTEM", "1");
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", words) + ": " + output);
      }
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(String.join(" ", words), e);
    }
  }

  /// All there is in the worktree: names, kinds, permissions, contents, links; of folders those
  /// that are empty, with a slash at the end. Without `.git`.
  public Map<RepoPath, String> files() throws IOException {
    Map<RepoPath, String> files = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return folder.equals(root.resolve(".git"))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, @Nullable IOException e)
              throws IOException {
            try (var inside = Files.list(each)) {
              if (!each.equals(root) && inside.findAny().isEmpty()) {
                files.put(
                    RepoPath.from(root, each).asFolder(),
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(each)));
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            files.put(RepoPath.from(root, file), describe(file, attributes));
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static String describe(Path file, BasicFileAttributes attributes) throws IOException {
    if (attributes.isSymbolicLink()) {
      Process readlink = new ProcessBuilder("readlink", file.toString()).start();
      return "link " + new String(readlink.getInputStream().readAllBytes(), UTF_8);
    }
    return PosixFilePermissions.toString(
            Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))
        + " "
        + java.util.HexFormat.of().formatHex(Files.readAllBytes(file));
  }

  /// What of the user's repository nothing may change: HEAD, index, stash, refs.
  public String repository() throws IOException {
    if (!isGit()) {
      return "";
    }
    List<InputStream> parts = new ArrayList<>();
    String refs =
        git("for-each-ref").lines().filter(l -> !l.contains("pi-rewind")).toList().toString();
    parts.add(new ByteArrayInputStream(refs.getBytes(UTF_8)));
    String gitFolder = git("rev-parse", "--absolute-git-dir").strip();
    for (String name : List.of("HEAD", "index", "MERGE_HEAD", "ORIG_HEAD", "config")) {
      Path file = Path.of(gitFolder, name);
      parts.add(
          new ByteArrayInputStream(Files.exists(file) ? Files.readAllBytes(file) : new byte[1]));
    }
    try (InputStream all = new SequenceInputStream(java.util.Collections.enumeration(parts))) {
      return java.util.HexFormat.of().formatHex(all.readAllBytes());
    }
  }
}
