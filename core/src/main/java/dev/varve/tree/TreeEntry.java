// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import dev.varve.BlobHash;

/// One name in a folder.
///
/// @param name one step of a path: not empty, not `.` or `..`, without `/` and NUL, at most
///   [#NAME_BYTES_MAX] bytes of UTF-8
/// @param mode the permission bits, an unsigned 32-bit number; for instance octal 644
/// @param sizeBytes of a file its size, of a symbolic link that of its target's text, of a folder 0
/// @param hash of a file its content, of a symbolic link its target's text, of a folder its tree
public record TreeEntry(String name, Kind kind, int mode, long sizeBytes, BlobHash hash) {

  /// The longest name; longer than file systems allow.
  public static final int NAME_BYTES_MAX = 4_096;

  /// The kind of object for which a name stands.
  public enum Kind {
    FILE("file"),
    DIRECTORY("dir"),
    SYMLINK("symlink");

    private final String written;

    Kind(String written) {
      this.written = written;
    }

    /// As it stands in JSON.
    public String written() {
      return written;
    }
  }

  public TreeEntry {
    if (!isPlain(name)) {
      throw new IllegalArgumentException("no plain name: '" + name + "'");
    }
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("size: " + sizeBytes);
    }
  }

  /// Returns whether a name is one step of a path that leads nowhere else.
  public static boolean isPlain(String name) {
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && name.indexOf('/') < 0
        && name.indexOf('\0') < 0
        && name.length() <= NAME_BYTES_MAX
        && TreeText.bytes(name).length <= NAME_BYTES_MAX
        && TreeText.isWhole(name);
  }

  public boolean isDirectory() {
    return kind == Kind.DIRECTORY;
  }

  /// The mode as people write it, for instance `644`.
  public String modeOctal() {
    return Integer.toOctalString(mode);
  }
}
