// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.git.IndexEntry;
import dev.varve.git.RepoPath;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A folder as it was when its names were last read, and git's tree of what is captured in it.
final class CachedFolder {

  private static final int TREE_MODE = 0040000;

  /// The path from the worktree's top; empty for the top itself.
  final RepoPath path;

  final @Nullable CachedFolder parent;

  /// Ends in NUL.
  final MemorySegment name;

  /// By their last steps.
  final SortedMap<RepoPath, CachedFile> files = new TreeMap<>();

  final SortedMap<RepoPath, CachedFolder> folders = new TreeMap<>();

  /// The names that exist, are not captured, and need not be looked at again.
  final Set<RepoPath> passed = new HashSet<>();

  /// Its permissions.
  String octal = "";

  private long changedAt;
  private long inode;
  private long listedAtNanos;
  private @Nullable String tree;
  private boolean treeKnown;

  CachedFolder(@Nullable CachedFolder parent, RepoPath path, MemorySegment name) {
    this.parent = parent;
    this.path = path;
    this.name = name;
  }

  static CachedFolder top(MemorySegment absolute) {
    return new CachedFolder(null, RepoPath.of(""), absolute);
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

  /// Takes a file of git's index into this folder, which is the top.
  ///
  /// @param atNanos when the file was read, since 1970
  void enter(IndexEntry entry, long atNanos) {
    CachedFolder folder = this;
    List<RepoPath> steps = new ArrayList<>();
    for (Optional<RepoPath> step = entry.path().parent(); step.isPresent(); ) {
      steps.add(step.get().name());
      step = step.get().parent();
    }
    for (RepoPath step : steps.reversed()) {
      folder = folder.folder(step);
    }
    RepoPath last = entry.path().name();
    folder.files.put(
        last, new CachedFile(terminated(last), entry.mode(), entry.id(), entry.stat(), atNanos));
  }

  CachedFolder folder(RepoPath step) {
    return folders.computeIfAbsent(
        step, each -> new CachedFolder(this, child(each), terminated(each)));
  }

  /// True if the folder that was looked at last has the same names in it.
  boolean isListed(Statx seen) {
    return changedAt == seen.changedAt()
        && inode == seen.inode()
        && changedAt < listedAtNanos - CachedFile.TICK_NANOS;
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

  /// Notes that something in the folder changed.
  void changed() {
    for (CachedFolder each = this; each != null; each = each.parent) {
      each.treeKnown = false;
    }
  }

  /// The tree's id; null if nothing in the folder is captured. Trees that are known are not made
  /// again.
  ///
  /// @param made takes a tree's bytes and returns the tree's id
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
    SortedMap<RepoPath, CachedFolder> named = new TreeMap<>();
    folders.forEach((step, folder) -> named.put(step.asFolder(), folder));
    SortedMap<RepoPath, Object> all = new TreeMap<>(files);
    all.putAll(named);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    all.forEach(
        (step, what) -> {
          switch (what) {
            case CachedFile file -> entry(bytes, file.mode, step, file.id);
            case CachedFolder folder -> {
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
