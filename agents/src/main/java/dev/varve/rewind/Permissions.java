// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.IndexEntry;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// File permissions in octal, of which git knows one bit: whether a file is a program.
///
/// Most files of a worktree have the same permissions, so only the other files are listed. Git's
/// index shows when the permissions of a file may have changed; only such files are looked at.
public final class Permissions {

  private static final PosixFilePermission[] BITS = {
    PosixFilePermission.OTHERS_EXECUTE,
    PosixFilePermission.OTHERS_WRITE,
    PosixFilePermission.OTHERS_READ,
    PosixFilePermission.GROUP_EXECUTE,
    PosixFilePermission.GROUP_WRITE,
    PosixFilePermission.GROUP_READ,
    PosixFilePermission.OWNER_EXECUTE,
    PosixFilePermission.OWNER_WRITE,
    PosixFilePermission.OWNER_READ
  };

  /// A file system's times may lag behind the clock by a tick.
  private static final long SLACK_SECONDS = 2;

  /// @param plain the permissions that most files have
  /// @param others the files that have other permissions
  public record Found(SnapshotMetadata.Plain plain, SortedMap<RepoPath, String> others) {}

  private Permissions() {}

  public static boolean areKnownIn(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  public static String octal(Set<PosixFilePermission> permissions) {
    int bits = 0;
    for (int i = 0; i < BITS.length; i++) {
      bits |= permissions.contains(BITS[i]) ? 1 << i : 0;
    }
    return String.format("%03o", bits);
  }

  static Set<PosixFilePermission> of(String octal) {
    int bits = Integer.parseInt(octal, 8);
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("---------");
    for (int i = 0; i < BITS.length; i++) {
      if ((bits & 1 << i) != 0) {
        permissions.add(BITS[i]);
      }
    }
    return permissions;
  }

  /// Looks at all files.
  public static Found all(Path root, List<IndexEntry> entries) {
    Map<RepoPath, String> modes = new HashMap<>();
    Map<String, Integer> files = new HashMap<>();
    Map<String, Integer> programs = new HashMap<>();
    for (IndexEntry entry : entries) {
      String mode = ask(root, entry);
      if (mode != null) {
        modes.put(entry.path(), mode);
        (entry.mode() == TreeChange.PROGRAM ? programs : files).merge(mode, 1, Integer::sum);
      }
    }
    SnapshotMetadata.Plain plain =
        new SnapshotMetadata.Plain(mostOf(files, "644"), mostOf(programs, "755"));
    SortedMap<RepoPath, String> others = new TreeMap<>();
    for (IndexEntry entry : entries) {
      note(entry, modes.get(entry.path()), plain, others);
    }
    return new Found(plain, others);
  }

  /// Looks at the files that changed since `since`.
  public static Found changed(
      Path root, List<IndexEntry> entries, SnapshotMetadata before, Instant since) {
    SortedMap<RepoPath, String> others = new TreeMap<>();
    long changedFrom = since.getEpochSecond() - SLACK_SECONDS;
    for (IndexEntry entry : entries) {
      String mode =
          entry.changedAtSeconds() >= changedFrom
              ? ask(root, entry)
              : before.mode(entry.path()).orElse(null);
      note(entry, mode, before.plain(), others);
    }
    return new Found(before.plain(), others);
  }

  private static void note(
      IndexEntry entry,
      @org.jspecify.annotations.Nullable String mode,
      SnapshotMetadata.Plain plain,
      SortedMap<RepoPath, String> others) {
    boolean isProgram = entry.mode() == TreeChange.PROGRAM;
    if (mode != null && !mode.equals(plain.of(isProgram))) {
      others.put(entry.path(), mode);
    }
  }

  private static String mostOf(Map<String, Integer> counts, String otherwise) {
    return counts.entrySet().stream()
        .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .orElse(otherwise);
  }

  /// The permissions of a file; null for a link, and for a file that went away meanwhile.
  private static @org.jspecify.annotations.Nullable String ask(Path root, IndexEntry entry) {
    if (entry.mode() == TreeChange.LINK) {
      return null;
    }
    try {
      return octal(
          Files.getPosixFilePermissions(entry.path().under(root), LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return null;
    }
  }
}
