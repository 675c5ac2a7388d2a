// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.git.RepoPath;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A folder as it was when its names were last read, and git's tree of what is captured in it.
final class KnownFolder {

  private static final int TREE_MODE = 0040000;

  /// From the worktree's top; empty for the top itself.
  final RepoPath path;

  final @Nullable KnownFolder parent;

  /// Ends in NUL.
  final MemorySegment name;

  /// By their last steps.
  final SortedMap<RepoPath, KnownFile> files = new TreeMap<>();

  final SortedMap<RepoPath, KnownFolder> folders = new TreeMap<>();

  /// What is there, is not captured, and need not be looked at again.
  final Set<RepoPath> passed = new HashSet<>();

  /// Its permissions.
  String octal = "";

  private long changedAt;
  private long inode;
  private long listedAtNanos;
  private @Nullable String tree;
  private boolean treeKnown;

  KnownFolder(@Nullable KnownFolder parent, RepoPath path, MemorySegment name) {
    this.parent = parent;
    this.path = path;
    this.name = name;
  }

  static KnownFolder top(MemorySegment absolute) {
    return new KnownFolder(null, RepoPath.of(""), absolute);
  }

  /// The name for a call of the system.
  static MemorySegment terminated(RepoPath name) {
    byte[] bytes = name.bytes();
    MemorySegment copy = Arena.ofAuto().allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, copy, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
    return copy;
  }

  RepoPath child(RepoPath step) {
    return path.equals(RepoPath.of("")) ? step : step.after(path.asFolder());
  }

  KnownFolder folder(RepoPath step) {
    return folders.computeIfAbsent(
        step, each -> new KnownFolder(this, child(each), terminated(each)));
  }

  /// Whether the folder that was looked at last has the same names in it.
  boolean isListed(Statx seen) {
    return changedAt == seen.changedAt()
        && inode == seen.inode()
        && changedAt < listedAtNanos - KnownFile.TICK_NANOS;
  }

  void wasListed(Statx seen, long atNanos) {
    changedAt = seen.changedAt();
    inode = seen.inode();
    listedAtNanos = atNanos;
    octal = String.format("%03o", seen.mode() & 0777);
  }

  boolean isEmpty() {
    return files.isEmpty() && folders.isEmpty() && passed.isEmpty();
  }

  /// Something in it is other than it was.
  void changed() {
    for (KnownFolder each = this; each != null; each = each.parent) {
      each.treeKnown = false;
    }
  }

  /// The tree's id; null if nothing in the folder is captured. Trees that are known are not made
  /// again.
  ///
  /// @param made is given a tree's bytes, and tells its id
  @Nullable String tree(Function<byte[], String> made) {
    if (!treeKnown) {
      byte[] bytes = bytes(made);
      tree = bytes.length == 0 && parent != null ? null : made.apply(bytes);
      treeKnown = true;
    }
    return tree;
  }

  private byte[] bytes(Function<byte[], String> made) {
    // Git sorts folders as if their names ended in a slash.
    SortedMap<RepoPath, KnownFolder> named = new TreeMap<>();
    folders.forEach((step, folder) -> named.put(step.asFolder(), folder));
    SortedMap<RepoPath, Object> all = new TreeMap<>(files);
    all.putAll(named);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    all.forEach(
        (step, what) -> {
          switch (what) {
            case KnownFile file -> entry(bytes, file.mode, step, file.id);
            case KnownFolder folder -> {
              String inner = folder.tree(made);
              if (inner != null) {
                entry(bytes, TREE_MODE, folder.path.name(), inner);
              }
            }
            default -> throw new AssertionError(what);
          }
        });
    return bytes.toByteArray();
  }

  private static void entry(ByteArrayOutputStream to, int mode, RepoPath name, String id) {
    to.writeBytes((Integer.toOctalString(mode) + " ").getBytes(US_ASCII));
    to.writeBytes(name.bytes());
    to.write(0);
    to.writeBytes(HexFormat.of().parseHex(id));
  }
}
