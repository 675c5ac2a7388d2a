// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The message of a snapshot's commit, in which the snapshot's metadata stand: a line for each
/// fact, names as [RepoPath#escaped]. Other tools that keep snapshots at the same ref read the tree
/// alone.
public final class SnapshotMessage {

  private static final String FOLDERS = "Folders";
  static final String REPOSITORIES = "Repositories";
  static final String SUBJECT = "pi rewind snapshot";
  private static final String FIRST = "Varve-Rewind: 1";
  private static final String OCTAL = "[0-7]{3,4}";

  private SnapshotMessage() {}

  /// The message of a snapshot's commit.
  ///
  /// @param note the text that is kept with the snapshot, may be empty
  public static String write(SnapshotMetadata metadata, String note) {
    StringBuilder text = new StringBuilder(SUBJECT).append("\n\n").append(FIRST).append('\n');
    CheckoutLines.line(text, "Worktree", RepoPath.of(metadata.worktree()).escaped());
    CheckoutLines.line(text, "Plain", metadata.plain().file() + " " + metadata.plain().program());
    metadata
        .modes()
        .forEach((path, mode) -> CheckoutLines.line(text, "Mode", mode + " " + path.escaped()));
    metadata
        .leftOut()
        .forEach(
            (path, why) -> CheckoutLines.line(text, "Left-Out", why.word() + " " + path.escaped()));
    if (metadata.sparse()) {
      CheckoutLines.line(text, "Sparse", "yes");
    }
    metadata
        .excludes()
        .lines()
        .forEach(pattern -> CheckoutLines.line(text, "Exclude", RepoPath.of(pattern).escaped()));
    metadata
        .repositories()
        .ifPresent(
            inner -> {
              CheckoutLines.line(text, REPOSITORIES, Integer.toString(inner.size()));
              inner.forEach((path, checkout) -> CheckoutLines.write(path, checkout, text));
            });
    metadata
        .emptyFolders()
        .ifPresent(
            folders -> {
              CheckoutLines.line(text, FOLDERS, Integer.toString(folders.size()));
              folders.forEach(
                  (path, mode) -> CheckoutLines.line(text, "Empty", mode + " " + path.escaped()));
            });
    if (!note.isEmpty()) {
      CheckoutLines.line(text, "Note", RepoPath.of(note).escaped());
    }
    return text.toString();
  }

  /// Reads a message; empty if another tool made the snapshot. Lines of a later version are passed
  /// over.
  ///
  /// @throws StoreException.Invalid if a line is damaged
  public static Optional<SnapshotMetadata> parse(String message) {
    if (!message.contains("\n" + FIRST + "\n")) {
      return Optional.empty();
    }
    SortedMap<RepoPath, String> modes = new TreeMap<>();
    SortedMap<RepoPath, LeftOut> leftOut = new TreeMap<>();
    StringBuilder excludes = new StringBuilder();
    String worktree = "";
    SnapshotMetadata.Plain plain = new SnapshotMetadata.Plain("644", "755");
    boolean sparse = false;
    SortedMap<RepoPath, String> folders = new TreeMap<>();
    boolean lookedForFolders = false;
    CheckoutLines repositories = new CheckoutLines();
    for (String line : message.lines().toList()) {
      String[] parts = line.split(": ", 2);
      if (parts.length < 2) {
        continue;
      }
      String[] words = parts[1].split(" ", 2);
      switch (parts[0]) {
        case "Worktree" -> worktree = RepoPath.parse(words[0]).toString();
        case "Plain" -> plain = new SnapshotMetadata.Plain(octal(words, 0), octal(words, 1));
        case "Mode" -> modes.put(path(words), octal(words, 0));
        case "Left-Out" -> leftOut.put(path(words), reason(words[0]));
        case "Sparse" -> sparse = true;
        case REPOSITORIES, CheckoutLines.REPOSITORY, CheckoutLines.SPARSE, CheckoutLines.EXCLUDE ->
            repositories.add(parts[0], parts[1]);
        case FOLDERS -> lookedForFolders = true;
        case "Empty" -> folders.put(path(words), octal(words, 0));
        case "Exclude" -> excludes.append(RepoPath.parse(parts[1])).append('\n');
        default -> {}
      }
    }
    return Optional.of(
        new SnapshotMetadata(
            worktree,
            plain,
            modes,
            leftOut,
            sparse,
            excludes.toString(),
            repositories.read(),
            lookedForFolders ? Optional.of(folders) : Optional.empty()));
  }

  /// The note in a message; empty if there is none, or the note is damaged.
  public static String note(String message) {
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
      throw new StoreException.Invalid("a snapshot's metadata", "a line without a name");
    }
    return RepoPath.parse(words[1]);
  }

  private static String octal(String[] words, int i) {
    if (words.length <= i || !words[i].matches(OCTAL)) {
      throw new StoreException.Invalid(
          "a snapshot's metadata", "no permissions where some should be");
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
