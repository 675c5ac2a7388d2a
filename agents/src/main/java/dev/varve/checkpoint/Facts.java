// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a snapshot knows beyond its tree. It stands in the commit's message, a line a fact, names
/// as [RepoPath#escaped]; other tools that keep snapshots at the same ref read the tree alone.
///
/// @param worktree [Worktree#name]
/// @param plain the permissions that most files have
/// @param modes the files whose permissions are not the plain ones, in octal: `600`
/// @param leftOut what was there and was not captured
/// @param sparse whether git left files of the repository out of the worktree
/// @param excludes patterns that git ignored by besides `.gitignore` files, a line each
/// @param repositories the repositories inside whose files were captured, with a slash at the end;
///   empty if nobody looked into such
/// @param emptyFolders the folders in which nothing was, with their permissions in octal; empty if
///   nobody looked for them, or the tree has them
public record Facts(
    String worktree,
    Plain plain,
    SortedMap<RepoPath, String> modes,
    SortedMap<RepoPath, LeftOut> leftOut,
    boolean sparse,
    String excludes,
    Optional<SortedMap<RepoPath, Checkout>> repositories,
    Optional<SortedMap<RepoPath, String>> emptyFolders) {

  /// Of a snapshot that did not look into repositories.
  public Facts(
      String worktree,
      Plain plain,
      SortedMap<RepoPath, String> modes,
      SortedMap<RepoPath, LeftOut> leftOut,
      boolean sparse,
      String excludes) {
    this(worktree, plain, modes, leftOut, sparse, excludes, Optional.empty(), Optional.empty());
  }

  /// Permissions in octal of files that are no programs, and of programs.
  public record Plain(String file, String program) {

    String of(boolean isProgram) {
      return isProgram ? program : file;
    }
  }

  private static final String FOLDERS = "Folders";
  static final String REPOSITORIES = "Repositories";
  static final String SUBJECT = "pi rewind snapshot";
  private static final String FIRST = "Varve-Rewind: 1";
  private static final String OCTAL = "[0-7]{3,4}";

  /// The permissions that a snapshot knows of a file; empty if it has the plain ones.
  Optional<String> mode(RepoPath path) {
    return Optional.ofNullable(modes.get(path));
  }

  /// The repositories inside whose files were captured; none if nobody looked into such.
  public SortedMap<RepoPath, Checkout> inner() {
    return repositories.orElseGet(TreeMap::new);
  }

  /// The innermost repository inside that a path is in, with a slash at the end; empty if it is in
  /// none whose files were captured.
  Optional<RepoPath> repositoryOf(RepoPath path) {
    SortedMap<RepoPath, Checkout> inner = inner();
    for (Optional<RepoPath> step = path.parent(); step.isPresent(); step = step.get().parent()) {
      if (inner.containsKey(step.get().asFolder())) {
        return step.map(RepoPath::asFolder);
      }
    }
    return Optional.empty();
  }

  /// Why a path, or a folder that it is in, was left out; empty if it was not.
  public Optional<LeftOut> leftOut(RepoPath path) {
    return leftOut.entrySet().stream()
        .filter(entry -> path.isIn(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /// The message of a snapshot's commit.
  ///
  /// @param note what somebody said about it, may be empty
  String message(String note) {
    StringBuilder text = new StringBuilder(SUBJECT).append("\n\n").append(FIRST).append('\n');
    line(text, "Worktree", RepoPath.of(worktree).escaped());
    line(text, "Plain", plain.file + " " + plain.program);
    modes.forEach((path, mode) -> line(text, "Mode", mode + " " + path.escaped()));
    leftOut.forEach((path, why) -> line(text, "Left-Out", why.word() + " " + path.escaped()));
    if (sparse) {
      line(text, "Sparse", "yes");
    }
    excludes.lines().forEach(pattern -> line(text, "Exclude", RepoPath.of(pattern).escaped()));
    repositories.ifPresent(
        inner -> {
          line(text, REPOSITORIES, Integer.toString(inner.size()));
          inner.forEach((path, checkout) -> checkout.lines(path, text));
        });
    emptyFolders.ifPresent(
        folders -> {
          line(text, FOLDERS, Integer.toString(folders.size()));
          folders.forEach((path, mode) -> line(text, "Empty", mode + " " + path.escaped()));
        });
    if (!note.isEmpty()) {
      line(text, "Note", RepoPath.of(note).escaped());
    }
    return text.toString();
  }

  static void line(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value).append('\n');
  }

  /// Reads a message; empty if another tool made the snapshot. Lines of a later version are passed
  /// over.
  ///
  /// @throws StoreException.Invalid if a line is damaged
  static Optional<Facts> parse(String message) {
    if (!message.contains("\n" + FIRST + "\n")) {
      return Optional.empty();
    }
    SortedMap<RepoPath, String> modes = new TreeMap<>();
    SortedMap<RepoPath, LeftOut> leftOut = new TreeMap<>();
    StringBuilder excludes = new StringBuilder();
    String worktree = "";
    Plain plain = new Plain("644", "755");
    boolean sparse = false;
    SortedMap<RepoPath, String> folders = new TreeMap<>();
    boolean lookedForFolders = false;
    Checkout.Lines repositories = new Checkout.Lines();
    for (String line : message.lines().toList()) {
      String[] parts = line.split(": ", 2);
      if (parts.length < 2) {
        continue;
      }
      String[] words = parts[1].split(" ", 2);
      switch (parts[0]) {
        case "Worktree" -> worktree = RepoPath.parse(words[0]).toString();
        case "Plain" -> plain = new Plain(octal(words, 0), octal(words, 1));
        case "Mode" -> modes.put(path(words), octal(words, 0));
        case "Left-Out" -> leftOut.put(path(words), reason(words[0]));
        case "Sparse" -> sparse = true;
        case REPOSITORIES, Checkout.REPOSITORY, Checkout.SPARSE, Checkout.EXCLUDE ->
            repositories.add(parts[0], parts[1]);
        case FOLDERS -> lookedForFolders = true;
        case "Empty" -> folders.put(path(words), octal(words, 0));
        case "Exclude" -> excludes.append(RepoPath.parse(parts[1])).append('\n');
        default -> {}
      }
    }
    return Optional.of(
        new Facts(
            worktree,
            plain,
            modes,
            leftOut,
            sparse,
            excludes.toString(),
            repositories.read(),
            lookedForFolders ? Optional.of(folders) : Optional.empty()));
  }

  /// What somebody said about a snapshot; empty if nothing, or if it is damaged.
  static String note(String message) {
    return message
        .lines()
        .filter(line -> line.startsWith("Note: "))
        .findFirst()
        .map(line -> said(line.substring("Note: ".length())))
        .orElse("");
  }

  private static String said(String escaped) {
    try {
      return RepoPath.parse(escaped).toString();
    } catch (StoreException.Invalid e) {
      return "";
    }
  }

  private static RepoPath path(String[] words) {
    if (words.length < 2) {
      throw new StoreException.Invalid("a snapshot's facts", "a line without a name");
    }
    return RepoPath.parse(words[1]);
  }

  private static String octal(String[] words, int i) {
    if (words.length <= i || !words[i].matches(OCTAL)) {
      throw new StoreException.Invalid("a snapshot's facts", "no permissions where some should be");
    }
    // Of other bits than these nothing is restored.
    return words[i].substring(words[i].length() - 3);
  }

  private static LeftOut reason(String word) {
    try {
      return LeftOut.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return LeftOut.UNREADABLE; // of a later version: not captured, whatever the reason
    }
  }
}
